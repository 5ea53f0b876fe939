import { clientTime, readClock, startClock } from '../../base/time/clock.ts'
import { refuse } from '../../service/call/answer.ts'
import type { Call, UsesBody } from '../../service/call/call.ts'
import { repeated } from '../../service/call/headers.ts'
import { createTargetReader, type Target } from '../../service/call/target.ts'
import { isValid } from '../../service/keys/key.ts'
import { isUnderApi } from '../../service/operations/routes.ts'
import { type AllowedOrigins, createCors, loopbackOnly } from '../replies/cors.ts'
import { nameEvent, type RunEvent, runEvents } from '../worlds/run-events.ts'
import type { Sandboxes, SandboxKey } from '../worlds/sandboxes.ts'
import { checkHosts, createAddressReader, createHostGuard } from './api-address.ts'
import type { CallContext } from './call-context.ts'
import { type Caller, createCallerReader, stranger } from './caller.ts'

export interface AddressOptions {
  /** Host names that clients may use besides the local ones; `*`: any (A22). */
  readonly allowedHosts?: readonly string[] | '*'
  /** Origins whose pages may read replies. Default: loopback ones (A19). */
  readonly cors?: AllowedOrigins
  /** The URL that stands for `/v1` in links, without a slash at its end. Default: that of the host that a call names. */
  readonly baseUrl?: string
  /** Whether to believe `Forwarded` and `X-Forwarded-*`. Only for servers that a proxy alone can reach. */
  readonly trustProxy?: boolean
}

interface ContextOptions extends AddressOptions {
  readonly runEvent?: RunEvent
}

/** Finds the world and the key of a call, and reads that world's clock: once per call. */
export function createContextReader(
  { allowedHosts = [], cors = loopbackOnly, baseUrl, trustProxy = false, runEvent }: ContextOptions,
  sandboxes: Sandboxes,
  onNotice: (text: string) => void,
) {
  const checkHost = createHostGuard(allowedHosts)
  const addressOf = createAddressReader(baseUrl)
  const targetOf = createTargetReader()
  const readCaller = createCallerReader(createCors(cors, onNotice, baseUrl), trustProxy)
  const happenedBefore = ({ receivedAt }: Call, { world, key }: ReturnType<Sandboxes['find']>) => {
    const happened = runEvents(world, key?.text, receivedAt, runEvent, onNotice)
    if (happened.length === 0) return undefined
    sandboxes.changes += 1
    return happened.map(nameEvent)
  }
  /** Several Host headers are refused whatever the target says (RFC 9112, section 3.2). */
  const hostOf = ({ host }: Caller, { authority }: Target) =>
    host === repeated ? repeated : (authority ?? host)
  const refuseHost = ({ forwarded }: Caller, host: ReturnType<typeof hostOf>) =>
    checkHost(host) ?? checkHosts(checkHost, forwarded?.hosts)
  const readContext = (received: Call) => {
    const target = targetOf(received.target)
    const known = readCaller(received.headers)
    const { forwarded } = known
    const call = forwarded?.client === undefined ? received : { ...received, client: forwarded.client }
    const host = hostOf(known, target)
    const refusal = refuseHost(known, host)
    const hostRefusal = refusal && refuse(refusal.code, refusal.message)
    const caller = hostRefusal === undefined ? known : stranger(known)
    sandboxes.time.note(call.receivedAt)
    const found = sandboxes.find(caller.key, call.receivedAt)
    // A preflight counts for no event, nor does a call outside the API.
    const events =
      found.world.events.isWaiting &&
      hostRefusal === undefined &&
      call.method !== 'OPTIONS' &&
      isUnderApi(target.path)
        ? happenedBefore(call, found)
        : undefined
    // An event may have added, changed or deleted the key.
    const { world, key } = events === undefined ? found : sandboxes.find(caller.key, call.receivedAt)
    const windows = key === undefined ? world.anonymous.get(call.client) : key.windows
    const at = sandboxes.time.read(world, windows, call.receivedAt)
    const context: CallContext = {
      call,
      target,
      world,
      caller,
      key,
      at,
      date: clientTime(world.clock, at, call.receivedAt),
      address: addressOf(call.scheme, typeof host === 'string' ? host : undefined, forwarded),
      events,
      counted: undefined,
      reached: undefined,
    }
    return { context, hostRefusal }
  }
  /** Whether the body of a call can matter: host, path and key are no reason to refuse it. Changes nothing. */
  const usesBody: UsesBody = ({ target: text, method, headers, receivedAt }) => {
    const target = targetOf(text)
    if (method === 'OPTIONS' || !isUnderApi(target.path)) return false
    const caller = readCaller(headers)
    if (caller.key === undefined || refuseHost(caller, hostOf(caller, target)) !== undefined) return false
    sandboxes.note(receivedAt)
    return isKnown(sandboxes, caller.key, receivedAt)
  }
  return { readContext, usesBody }
}

/** Whether `Sandboxes.find` would find a valid key. Makes no sandbox. */
function isKnown(sandboxes: Sandboxes, { text, base, sandbox: name }: SandboxKey, wall: number): boolean {
  const { keys, deletedKeys } = sandboxes.default
  const exact = keys.get(text)
  if (exact === undefined && (name === undefined || deletedKeys.has(text))) return false
  const world = exact !== undefined || name === undefined ? sandboxes.default : sandboxes.get(name)
  const key = exact ?? (world ?? sandboxes.scenario).keys.get(base)
  const at = world ? readClock(world.clock, wall) : startClock(sandboxes.scenario.clock, wall).at
  return key !== undefined && isValid(key, at)
}
