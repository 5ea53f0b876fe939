import { refuse } from '../../service/call/answer.ts'
import type { Call } from '../../service/call/call.ts'
import { repeated } from '../../service/call/headers.ts'
import { readTarget } from '../../service/call/target.ts'
import { type AllowedOrigins, createCors, loopbackOnly } from '../replies/cors.ts'
import type { Sandboxes } from '../worlds/sandboxes.ts'
import { readAddress } from './api-address.ts'
import type { CallContext } from './call-context.ts'
import { createCallerReader, stranger } from './caller.ts'
import { createHostGuard } from './host-guard.ts'

/** Who may call, and under which address. */
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

/** Finds the world and the key of a call, and reads that world's clock: once per call. */
export function createContextReader(
  { allowedHosts = [], cors = loopbackOnly, baseUrl, trustProxy = false }: AddressOptions,
  sandboxes: Sandboxes,
  onNotice: (text: string) => void,
) {
  const checkHost = createHostGuard(allowedHosts)
  const readCaller = createCallerReader(createCors(cors, onNotice, baseUrl), trustProxy)
  return (received: Call) => {
    const target = readTarget(received.target)
    const known = readCaller(received.headers)
    const { forwarded } = known
    const call = forwarded?.client === undefined ? received : { ...received, client: forwarded.client }
    // Several Host headers are refused whatever the target says (RFC 9112, section 3.2).
    const host = known.host === repeated ? repeated : (target.authority ?? known.host)
    const refusal = checkHost(host) ?? checkHost(forwarded?.host)
    const hostRefusal = refusal && refuse(refusal.code, refusal.message)
    const caller = hostRefusal === undefined ? known : stranger(known)
    sandboxes.time.note(call.receivedAt)
    const { world, key } = sandboxes.find(caller.credential, call.receivedAt)
    const windows = key === undefined ? world.anonymous.get(call.client) : key.windows
    const context: CallContext = {
      call,
      target,
      world,
      caller,
      key,
      at: sandboxes.time.read(world, windows, call.receivedAt),
      address: readAddress(baseUrl, call.scheme, typeof host === 'string' ? host : undefined, forwarded),
      counted: undefined,
      reached: undefined,
    }
    return { context, hostRefusal }
  }
}
