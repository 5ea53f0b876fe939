import { mayArrive } from '../../emulator/journal/delivery.ts'
import { type Exchange, isRefused } from '../../emulator/journal/exchange.ts'
import type { RuleStatus } from '../../emulator/rules/rule-status.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { clip } from '../../service/call/echo.ts'
import { faultName } from '../../service/call/fault.ts'
import { readTarget } from '../../service/call/target.ts'
import { operationOf as pathOf } from '../../service/operations/operations.ts'
import { operationAt } from '../../service/operations/routes.ts'
import type { ObservedCall } from '../conduct/observed-call.ts'
import { demandedWait, refusedUntil } from '../conduct/wait.ts'

export interface Setback {
  /** `limit`, or the rule that did it. */
  readonly source: string
  /** What the client got: `429 api_key_banned`, `503 from the rule outage`. */
  readonly what: string
  /** From this instant of the emulator's clock on, a call may succeed. Undefined: nothing says when. */
  readonly allowedAt: number | undefined
  /** When the client's own wait is over. On a fast clock, the whole seconds of `Retry-After` are long. */
  readonly waitedUntil: number
  /** Why `allowedAt` is unknown, as a clause. */
  readonly reason: string
}

export type FindWorld = (sandbox: string) => Pick<World, 'rules' | 'placedAt'> | undefined

/** Undefined if the call succeeded, or failed by the client's own mistake. */
export function setbackOf(observed: ObservedCall, find: FindWorld): Setback | undefined {
  const { exchange } = observed
  const { trace, reply } = exchange
  if (trace.gate === 'prefer') return undefined
  if (isRefused(exchange)) return refusal(observed)
  if (trace.gate === 'key') return trace.key === undefined ? undefined : rejected(exchange)
  const rule = trace.rules?.at(-1)
  const isBroken = !hasWorked(observed)
  if (rule !== undefined && (isBroken || (trace.synthetic && reply.status >= 400)))
    return injected(observed, rule, find)
  if (reply.status < 500) return undefined
  return {
    source: 'service',
    what: `${reply.status}`,
    allowedAt: exchange.at,
    waitedUntil: exchange.at,
    reason: '',
  }
}

/** Whether a call succeeded, and the client got the whole response. */
export function hasSucceeded(observed: ObservedCall): boolean {
  return observed.exchange.reply.status < 400 && hasWorked(observed)
}

/** The operation of a call, or its method and path. */
export function operationOf({ call: { method, target } }: Exchange): string {
  const { path } = readTarget(target)
  return operationAt(path, method) ?? `${method} ${path}`
}

/** Its method and path: `GET /v1/pets/{petId}`. */
export function callOf({ call: { method, target } }: Exchange): string {
  const { path } = readTarget(target)
  const id = operationAt(path, method)
  return `${method} ${id === undefined ? clip(path) : `/v1${pathOf(id).path}`}`
}

function hasWorked({ exchange: { reply }, delivery }: ObservedCall): boolean {
  return mayArrive(delivery) && (reply.fault === undefined || faultName(reply.fault) !== 'malformed')
}

function refusal(observed: ObservedCall): Setback {
  const { exchange } = observed
  const { reply, trace } = exchange
  return {
    source: 'limit',
    what: `${reply.status} ${trace.code ?? ''}`,
    allowedAt: refusedUntil(exchange),
    waitedUntil: waitedUntil(observed),
    reason: 'the refusal does not say when calls may succeed',
  }
}

/** When the client's own wait is over, on the emulator's clock. */
function waitedUntil(observed: ObservedCall): number {
  const { at, scale, call } = observed.exchange
  const wait = demandedWait(observed)
  return wait === undefined ? at : at + (wait.clientUntil - call.receivedAt) * scale
}

function rejected({ at, reply, trace }: Exchange): Setback {
  return {
    source: 'key',
    what: `${reply.status} ${trace.code ?? ''}`,
    allowedAt: undefined,
    waitedUntil: at,
    reason: 'the key was rejected, and nothing says when it works again',
  }
}

function injected(observed: ObservedCall, name: string, find: FindWorld): Setback {
  const { exchange } = observed
  const { at, reply, sandbox } = exchange
  const status = find(sandbox)
    ?.rules.list()
    .find(({ rule }) => rule.name === name)
  const end = status === undefined ? at : endOfRule(status, at)
  const waited = waitedUntil(observed)
  const failure = reply.fault === undefined ? `${reply.status}` : faultName(reply.fault)
  const what = mayArrive(observed.delivery) || reply.fault !== undefined ? failure : 'no response in time'
  return {
    source: `rule ${name}`,
    what: `${what} from the rule ${name}`,
    allowedAt: end === undefined ? undefined : Math.max(end, waited),
    waitedUntil: waited,
    reason: `the rule ${name} never ends`,
  }
}

/** When a rule may let the next call pass: at once if it counts calls or draws, else when its time ends. */
function endOfRule({ rule: { when, times, ttlMs }, since }: RuleStatus, at: number): number | undefined {
  const { first, every = 1, probability = 1, between } = when
  if (first !== undefined || times !== undefined || every > 1 || probability < 1) return at
  const ends = [ttlMs, between?.[1]].flatMap(ms => (ms === undefined ? [] : [since + ms]))
  return ends.length === 0 ? undefined : Math.min(...ends)
}
