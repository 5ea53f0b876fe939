import { BoundedMap } from '../../base/bounded-map.ts'
import { type Exchange, isRefused, mayArrive } from '../../emulator/journal/exchange.ts'
import type { RuleStatus } from '../../emulator/rules/rule-book.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { clip } from '../../service/call/echo.ts'
import { faultName } from '../../service/call/fault.ts'
import { readTarget } from '../../service/call/target.ts'
import { operationOf as pathOf } from '../../service/operations/operations.ts'
import { operationAt } from '../../service/operations/routes.ts'
import type { ObservedCall } from '../conduct/observed-call.ts'
import { demandedWait, refusedUntil } from '../conduct/wait.ts'

/** Whether calls succeeded again after the situation refused or broke one. Times are milliseconds of the emulator's clock. */
export type Recovery =
  | { readonly kind: 'unneeded' }
  /** The longest time from the end of the situation and of the client's wait to the first success. `clientMs`: the same in the client's time. */
  | { readonly kind: 'recovered'; readonly afterMs: number; readonly clientMs: number }
  | (Missing & { readonly kind: 'ended-early'; readonly missingMs: number })
  | (Missing & { readonly kind: 'stopped' })
  | (Missing & { readonly kind: 'failed-again'; readonly calls: number })
  | { readonly kind: 'unjudged'; readonly reason: string }

interface Missing {
  readonly what: string
  readonly call: string
  /** Failed calls that the client made again, by method and path. */
  readonly repeated: readonly string[]
}

/** The time from a setback to the next success of the same key. */
interface Trouble {
  readonly setback: Setback
  readonly operation: string
  readonly at: number
  readonly receivedAt: number
  readonly isFrozen: boolean
  readonly call: string
  /** Calls that failed although they were allowed. */
  readonly failedAgain: number
  readonly what: string
}

const mostCallers = 1_000
const mostSources = 100

const worst = ['failed-again', 'stopped', 'ended-early', 'unjudged'] as const

/** Finds out whether each caller recovered. Its memory is bounded. */
export function createRecoveryLog(find: FindWorld) {
  const callers = new BoundedMap<string, Troubles>(mostCallers)
  const ended: Ended = { longest: undefined, unmeasured: undefined }
  const failed = new BoundedMap<number, string>(mostCallers)
  const repeated = new Set<string>()

  return {
    /** Takes the calls of all callers in order, each when its delivery is known. */
    add: (caller: string, observed: ObservedCall): void => {
      const setback = setbackOf(observed, find)
      const troubles = callers.get(caller)
      const before = failed.get(observed.fingerprint)
      if (before !== undefined) repeated.add(before)
      if (setback !== undefined) failed.set(observed.fingerprint, callOf(observed.exchange))
      if (setback !== undefined) {
        const known = troubles ?? new BoundedMap<string, Trouble>(mostSources)
        callers.set(caller, known)
        fail(known, observed, setback)
      } else if (troubles !== undefined) {
        if (hasSucceeded(observed)) succeed(troubles, observed, ended)
        else refuse(troubles, observed)
      }
    },
    forget: (isOfSandbox: (caller: string) => boolean): void => {
      for (const caller of [...callers.keys()]) if (isOfSandbox(caller)) callers.delete(caller)
    },
    /** `endedAt`: when the client ended, on the emulator's clock. */
    recovery: (endedAt: number): Recovery => {
      const open = [...callers.values()].flatMap(troubles =>
        Array.from(troubles.values(), trouble => stateOf(trouble, endedAt, [...repeated])),
      )
      for (const kind of worst) {
        const found = open.find(state => state.kind === kind)
        if (found !== undefined) return found
      }
      if (callers.dropped > 0)
        return { kind: 'unjudged', reason: `more than ${mostCallers} keys were refused` }
      const { longest, unmeasured } = ended
      if (unmeasured !== undefined)
        return { kind: 'unjudged', reason: `calls succeeded again, but ${unmeasured}` }
      return longest === undefined ? { kind: 'unneeded' } : { kind: 'recovered', ...longest }
    },
  }
}

type Troubles = Map<string, Trouble>

interface Ended {
  longest: Span | undefined
  unmeasured: string | undefined
}

interface Span {
  readonly afterMs: number
  readonly clientMs: number
}

/** A client that calls this soon is in time: milliseconds of its own time. `Retry-After` has whole seconds. */
const promptMs = 1_000

/** Whether a call succeeded again within a time of the emulator's clock. On a fast clock, a second of the client is long. */
export function isInTime({ afterMs, clientMs }: Span, recovers: number): boolean {
  return afterMs <= recovers || clientMs <= promptMs
}

/** Whether the client makes some failed calls again: often it does so for GET alone. */
export function repetitions({ call, repeated }: Missing): string {
  const others = repeated.filter(one => one !== call)
  if (others.length > 0) return `It made other failed calls again: ${others.join(', ')}.`
  return repeated.length > 0 ? 'It had made this call again before.' : 'It made no failed call again.'
}

function succeed(troubles: Troubles, { exchange }: ObservedCall, ended: Ended): void {
  const { at, scale, call } = exchange
  for (const [source, trouble] of [...troubles]) {
    const { allowedAt, waitedUntil, reason } = trouble.setback
    // Another call says nothing about a rule that still acts.
    if (!isAllowed(trouble, at) && source !== 'limit' && trouble.operation !== operationOf(exchange)) continue
    troubles.delete(source)
    if (allowedAt === undefined) ended.unmeasured ??= reason
    else {
      const afterMs = Math.max(0, at - Math.max(allowedAt, waitedUntil))
      const clientMs = Math.min(afterMs / (scale || 1), call.receivedAt - trouble.receivedAt)
      const { longest } = ended
      const isLate = clientMs > promptMs
      // What is in time anyway counts less.
      const isSimilar = longest !== undefined && isLate === longest.clientMs > promptMs
      if (isSimilar ? afterMs > longest.afterMs : isLate || longest === undefined)
        ended.longest = { afterMs, clientMs }
    }
  }
}

/** A call that failed by the client's own mistake is no success. */
function refuse(troubles: Troubles, { exchange }: ObservedCall): void {
  const what = `${exchange.reply.status}`
  const call = callOf(exchange)
  for (const [source, trouble] of [...troubles])
    if (isAllowed(trouble, exchange.at))
      troubles.set(source, { ...trouble, failedAgain: trouble.failedAgain + 1, what, call })
}

function fail(troubles: Troubles, { exchange }: ObservedCall, setback: Setback): void {
  const { at, scale, call } = exchange
  const before = troubles.get(setback.source)
  troubles.set(setback.source, {
    setback,
    operation: before?.operation ?? operationOf(exchange),
    at,
    receivedAt: call.receivedAt,
    isFrozen: scale === 0,
    call: callOf(exchange),
    failedAgain: (before?.failedAgain ?? 0) + (before !== undefined && isAllowed(before, at) ? 1 : 0),
    what: setback.what,
  })
}

function isAllowed({ setback: { allowedAt } }: Trouble, at: number): boolean {
  return allowedAt !== undefined && at >= allowedAt
}

function stateOf(
  { setback, isFrozen, failedAgain, what, call, at }: Trouble,
  endedAt: number,
  repeated: readonly string[],
): Recovery {
  const { allowedAt, reason } = setback
  const missing = { what, call, repeated }
  if (allowedAt === undefined) return { kind: 'unjudged', reason }
  if (failedAgain > 0) return { kind: 'failed-again', ...missing, calls: failedAgain }
  if (endedAt >= allowedAt) return { kind: 'stopped', ...missing }
  if (isFrozen && endedAt === at)
    return { kind: 'unjudged', reason: 'the clock stood still, so the wait never ended' }
  return { kind: 'ended-early', ...missing, missingMs: allowedAt - endedAt }
}

type Setback = NonNullable<ReturnType<typeof setbackOf>>

export type FindWorld = (sandbox: string) => Pick<World, 'rules' | 'placedAt'> | undefined

/** Undefined if the call succeeded, or failed by the client's own mistake. */
function setbackOf(observed: ObservedCall, find: FindWorld) {
  const { exchange } = observed
  const { at, trace, reply } = exchange
  const what = `${reply.status} ${trace.code ?? ''}`
  if (trace.gate === 'prefer') return undefined
  if (isRefused(exchange))
    return {
      /** `limit`, or the rule that did it. */
      source: 'limit',
      /** What the client got: `429 api_key_banned`, `503 from the rule outage`. */
      what,
      /** From this instant of the emulator's clock on, a call may succeed. Undefined: nothing says when. */
      allowedAt: refusedUntil(exchange),
      /** When the client's own wait is over. On a fast clock, the whole seconds of `Retry-After` are long. */
      waitedUntil: waitedUntil(observed),
      /** Why `allowedAt` is unknown, as a clause. */
      reason: 'the refusal does not say when calls may succeed',
    }
  if (trace.gate === 'key') {
    if (trace.key === undefined) return undefined
    const reason = 'the key was rejected, and nothing says when it works again'
    return { source: 'key', what, allowedAt: undefined, waitedUntil: at, reason }
  }
  const rule = trace.rules?.at(-1)
  const isBroken = !hasWorked(observed)
  if (rule !== undefined && (isBroken || (trace.synthetic && reply.status >= 400)))
    return injected(observed, rule, find)
  if (reply.status < 500) return undefined
  return { source: 'service', what: `${reply.status}`, allowedAt: at, waitedUntil: at, reason: '' }
}

/** Whether a call succeeded, and the client got the whole response. */
export function hasSucceeded(observed: ObservedCall): boolean {
  return observed.exchange.reply.status < 400 && hasWorked(observed)
}

export function operationOf({ call: { method, target } }: Exchange): string {
  const { path } = readTarget(target)
  return operationAt(path, method) ?? `${method} ${path}`
}

/** Its method and path: `GET /v1/pets/{petId}`. `base`: before the path of an operation. */
export function callOf({ call: { method, target } }: Exchange, base = '/v1'): string {
  const { path } = readTarget(target)
  const id = operationAt(path, method)
  return `${method} ${id === undefined ? clip(path) : base + pathOf(id).path}`
}

function hasWorked({ exchange: { reply }, delivery }: ObservedCall): boolean {
  return mayArrive(delivery) && (reply.fault === undefined || faultName(reply.fault) !== 'malformed')
}

/** When the client's own wait is over, on the emulator's clock. */
function waitedUntil(observed: ObservedCall): number {
  const { at, scale, call } = observed.exchange
  const wait = demandedWait(observed)
  return wait === undefined ? at : at + (wait.clientUntil - call.receivedAt) * scale
}

function injected(observed: ObservedCall, name: string, find: FindWorld) {
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
