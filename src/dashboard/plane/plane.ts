import { type PlaneOperations, planeRoutes, shippedKeys } from '../../generated/plane-operations.ts'
import type { NearEmulator } from '../../library/testing/near-emulator.ts'

/** An event of the plane: something has changed. */
export interface PlaneEvent {
  /** The run of the server: another one means a restart, and request ids start anew. */
  readonly start: string
  /** Grows with every change of a run. */
  readonly revision: number
  /** Grows with every change that no call made: of the clock, the scenario, rules, keys. */
  readonly changes: number
  /** The newest request id of each sandbox that has newer requests. The first event has all sandboxes. */
  readonly newest: Readonly<Record<string, number>>
}

/** Calls `onEvent` for each event, and `onEnd` once if the stream ends or fails. Returns a function that stops it. */
export type Watch = (
  onEvent: (event: PlaneEvent) => void,
  onEnd: (error: PlaneError | undefined) => void,
) => () => void

/** How a plane is reached. */
export interface Connect {
  readonly send: NearEmulator['send']
  readonly watch: Watch
}

/** Everything that the dashboard knows of a server or of an emulator in this page. */
export interface Plane {
  readonly call: <Id extends OperationId>(id: Id, input?: Input<Id>) => Promise<Answer<Id>>
  /** The text of a response, whose integers may have 64 bits. */
  readonly read: <Id extends OperationId>(id: Id, input?: Input<Id>) => Promise<string>
  readonly watch: Watch
}

export type OperationId = keyof PlaneOperations
export type Answer<Id extends OperationId> = PlaneOperations[Id]['answer']
export type Body<Id extends OperationId> = PlaneOperations[Id]['body']

export interface Input<Id extends OperationId> {
  readonly params?: PlaneOperations[Id]['params']
  readonly query?: PlaneOperations[Id]['query']
  readonly body?: Body<Id>
}

/** `onRefused`: the plane wants a token, or another one. */
export function createPlane({ send, watch }: Connect, onRefused?: (error: PlaneError) => void): Plane {
  const read: Plane['read'] = async (id, { params = {}, query = {}, body } = {}) => {
    const [method = '', path = ''] = planeRoutes[id].split(' ')
    const json = body === undefined ? undefined : JSON.stringify(body)
    const values = new Map<string, unknown>(Object.entries(params))
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values.get(name))))
    const { status, text } = await send(method, filled + queryOf(query), json)
    if (status < 400) return text
    const error = refusalOf(status, text)
    if (isLockedOut(error)) onRefused?.(error)
    throw error
  }
  const names = createKeyNames(keys => read('listKeys', { query: { keys } }))
  return {
    read,
    watch: (onEvent, onEnd) => {
      names.forget()
      return watch(onEvent, error => {
        if (error !== undefined && isLockedOut(error)) onRefused?.(error)
        onEnd(error)
      })
    },
    call: async (id, input) => {
      const text = await read(id, input)
      return text.startsWith('{') ? readAnswer(await names.write(text)) : text
    },
  }
}

export function queryOf(query: object): string {
  const present = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** The fields are not checked: the types are those that the server describes. */
function readAnswer(text: string): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(text)
  } catch {
    throw new PlaneError(0, 'unreachable', 'The response is cut. Did the server stop?')
  }
}

/** A call to the admin plane that failed. `status` 0: no server answered. */
export class PlaneError extends Error {
  readonly status: number
  /** The code of a refusal, or `unreachable`. */
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Whether the plane keeps this page out until it has the token, or until the server is started with one. */
export function isLockedOut({ status, code }: PlaneError): boolean {
  return status === 401 || code === closedCode
}

/** Of a server that other machines reach, and that has no token. */
export const closedCode = 'admin_plane_closed'

export function refusalOf(status: number, text: string): PlaneError {
  try {
    const { code, message } = JSON.parse(text)
    return new PlaneError(status, String(code), String(message))
  } catch {
    return new PlaneError(status, 'unreachable', `The server answered ${status}, and not as pet-mock does.`)
  }
}

export function unreachable(): PlaneError {
  return new PlaneError(0, 'unreachable', 'The server does not answer. Is it running?')
}

/** Writes the shipped keys whole in answers, which mask every key. `readKeys` reads both lists, in one order. */
function createKeyNames(readKeys: (keys: 'shown' | 'masked') => Promise<string>) {
  let names: ReturnType<typeof load> | undefined
  const keysIn = (text: string): readonly string[] =>
    JSON.parse(text).keys.map(({ key }: { readonly key: string }) => key)
  const load = async () => {
    const [shown = [], masked = []] = (await Promise.all([readKeys('shown'), readKeys('masked')])).map(keysIn)
    return masked.flatMap((label, index) => {
      const key = shown[index]
      if (key === undefined || !shippedKeys.includes(key)) return []
      // Not the end of another word, and not `demo-f…#2`, which is another key.
      const pattern = new RegExp(`(?<![\\w.~-])${label}(?![#\\d])`, 'g')
      return [(text: string) => text.replace(pattern, key)]
    })
  }
  return {
    /** Another run of the server may mask in another way. */
    forget: () => {
      names = undefined
    },
    write: async (text: string): Promise<string> => {
      if (!text.includes('…')) return text
      names ??= load().catch(() => [])
      return (await names).reduce((result, write) => write(result), text)
    },
  }
}
