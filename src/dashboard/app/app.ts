import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals'
import type { PlaneKey } from '../../generated/plane-operations.ts'
import { type Connect, createPlane, type Plane } from '../plane/plane.ts'
import { type Connection, createConnection } from '../state/connection.ts'
import { createLive, createNotices } from '../state/live.ts'
import { createLogin } from '../state/login.ts'
import { calmer } from '../state/pace.ts'
import { createPlaces } from '../state/places.ts'
import { createShortcuts } from '../state/shortcuts.ts'
import { createTheme } from '../state/theme.ts'
import { createFeed } from '../traffic/feed.ts'

export type App = ReturnType<typeof createApp>

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
  /** Sends a call to the API beside the plane. `target`: path and query, such as `/v1/pets`. */
  readonly callApi: (target: string, init: RequestInit) => Promise<Response>
  /** The URL before `/v1` and `/__admin`. */
  readonly origin: string
}

export function createApp(window: Window, { connect, callApi, origin }: Backend) {
  const { document } = window
  const login = createLogin(window.sessionStorage)
  const plane = createPlane(connect(login.token), login.refuse)
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
    /** The calls of that sandbox. They stay when somebody looks at another part. */
    feed: ofSandbox(sandbox, name => createFeed(plane, connection, name)),
    /** What the judges say about the calls of that sandbox. */
    conduct: ofSandbox(sandbox, name => createConduct(plane, connection, name)),
    /** Keys before and after a click of the Overview, which another click takes back. By sandbox, and what was clicked. */
    changed: signal<Readonly<Record<string, readonly [before: PlaneKey, after: PlaneKey]>>>({}),
    shortcuts: createShortcuts(window),
    notices: createNotices(),
    theme: createTheme(window.localStorage, document.documentElement),
  }
}

function createConduct(plane: Plane, connection: Connection, sandbox: string) {
  const load = () => plane.call('getConduct', { query: { sandbox } })
  return createLive({ ...connection, rhythm: () => calmer(connection.rhythm()) }, load)
}

/** What belongs to the sandbox that the page shows. Another sandbox gets another one. */
function ofSandbox<T extends { readonly stop: () => void }>(
  sandbox: ReadonlySignal<string>,
  create: (sandbox: string) => T,
): ReadonlySignal<T> {
  const made = signal(create(sandbox.value))
  let shown = sandbox.value
  effect(() => {
    if (sandbox.value === shown) return
    shown = sandbox.value
    untracked(() => {
      made.value.stop()
      made.value = create(shown)
    })
  })
  return made
}
