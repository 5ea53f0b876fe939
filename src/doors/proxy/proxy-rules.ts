import { BoundedMap } from '../../base/bounded-map.ts'
import { CallFacts, type InjectedCall } from '../../emulator/rules/injected-answer.ts'
import { RuleBook, type RuleOutcome } from '../../emulator/rules/rule-book.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import { belowBase } from '../../judges/exchanges/texts.ts'
import { type Call, maxBody } from '../../service/call/call.ts'
import { headerValue } from '../../service/call/headers.ts'
import { readTarget } from '../../service/call/target.ts'
import { readCredential } from '../../service/keys/credential.ts'
import { operationAt } from '../../service/operations/routes.ts'
import { createHeadReader } from './pass-request-body.ts'

export type ProxyRules = ReturnType<typeof createProxyRules>

/** What the rules do to a call, and what an injected error depends on. */
export interface ProxyOutcome extends RuleOutcome {
  readonly call: InjectedCall
}

/** The `Retry-After` of an injected 429 that has none, in seconds: the proxy does not know the service's window. */
const retryAfter = '60'

/** Keys whose calls are counted. Beyond it, the key that called longest ago starts anew. */
const mostKeys = 1_000

/**
 * The rules of a scenario, for calls to a real service below `base`. They run in real time from `startedAt`. A call
 * without a key has the key `''`. Paths begin with `/v1`, whatever the base path of the service.
 */
export function createProxyRules(
  { rules, seed, keys }: Pick<Scenario, 'rules' | 'seed' | 'keys'>,
  base: string,
  startedAt: number,
) {
  const book = new RuleBook(seed, rules, startedAt)
  const counted = new BoundedMap<string, string>(mostKeys, { onDropped: key => book.forget(key) })
  return {
    readsBodies: rules.some(({ match }) => match.body !== undefined),
    readHead: createHeadReader(maxBody),
    /** What the rules do to a call; undefined if none acts. Preflights and other paths pass. */
    consult: (call: Call): ProxyOutcome | undefined => {
      const target = readTarget(call.target)
      const below = belowBase(target.path, base)
      const isPreflight =
        call.method === 'OPTIONS' && headerValue(call.headers, 'access-control-request-method') !== undefined
      if (below === undefined || isPreflight) return undefined
      const credential = readCredential(call.headers)
      const key = credential.kind === 'key' ? credential.text : ''
      counted.set(key, key)
      const path = `/v1${below}`
      const facts = new CallFacts(call, { path, query: target.query }, key, keys.get(key)?.plan ?? '')
      const outcome = book.consult(facts, call.receivedAt)
      if (outcome === undefined) return undefined
      const { method } = call
      const injected: InjectedCall = {
        method,
        path,
        operation: () => operationAt(path, method),
        furtherMethods: () => [],
        // The proxy does not know when the service removes an operation.
        lifetime: undefined,
        retryAfter: () => ({ 'Retry-After': retryAfter }),
      }
      return { ...outcome, call: injected }
    },
  }
}
