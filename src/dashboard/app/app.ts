import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals'
import { type Connect, createPlane, type Plane } from '../plane/plane.ts'
import { type Connection, createConnection } from '../state/connection.ts'
import { createLogin, type Login } from '../state/login.ts'
import { createNotices, type Notices } from '../state/notices.ts'
import { createPlaces, type Places } from '../state/places.ts'
import { createShortcuts, type Shortcuts } from '../state/shortcuts.ts'
import { createTheme, type Theme } from '../state/theme.ts'
import { createFeed, type Feed } from '../traffic/feed.ts'

export interface App {
  readonly plane: Plane
  /** Sends a call to the API beside the plane. `target`: path and query, such as `/v1/pets`. */
  readonly callApi: (target: string, init: RequestInit) => Promise<Response>
  /** The URL before `/v1` and `/__admin`. */
  readonly origin: string
  readonly connection: Connection
  readonly places: Places
  readonly sandbox: ReadonlySignal<string>
  /** The calls of that sandbox. They stay when somebody looks at another part. */
  readonly feed: ReadonlySignal<Feed>
  readonly shortcuts: Shortcuts
  readonly notices: Notices
  readonly login: Login
  readonly theme: Signal<Theme>
}

/** What a component gets that reads from the server. */
export interface AppProps {
  readonly app: App
}

/** What a component gets that changes something in the server. */
export interface ChangingProps extends AppProps {
  readonly onChanged: () => void
}

/** What differs between a server and an emulator in this page. `token` is for the far plane alone. */
interface Backend {
  readonly connect: (token: () => string | undefined) => Connect
  readonly callApi: App['callApi']
  readonly origin: string
}

export function createApp(window: Window, { connect, callApi, origin }: Backend): App {
  const { document } = window
  const login = createLogin(window.sessionStorage)
  const { send, watch } = connect(login.token)
  const plane = createPlane(send, watch, login.refuse)
  const places = createPlaces(window)
  const sandbox = computed(() => places.at.value.query.sandbox ?? 'default')
  const connection = createConnection(plane.watch, document)
  return {
    plane,
    callApi,
    origin,
    places,
    login,
    connection,
    sandbox,
    feed: feedOf(plane, connection, sandbox),
    shortcuts: createShortcuts(window),
    notices: createNotices(),
    theme: createTheme(window.localStorage, document.documentElement),
  }
}

function feedOf(plane: Plane, connection: Connection, sandbox: ReadonlySignal<string>): ReadonlySignal<Feed> {
  const feed = signal(createFeed(plane, connection, sandbox.value))
  let shown = sandbox.value
  effect(() => {
    if (sandbox.value === shown) return
    shown = sandbox.value
    untracked(() => {
      feed.value.stop()
      feed.value = createFeed(plane, connection, shown)
    })
  })
  return feed
}
