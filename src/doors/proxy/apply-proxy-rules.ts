import type { Call } from '../../service/call/call.ts'
import { createInjection, type Injection, type InjectionOptions } from './injection.ts'
import type { BodyHead } from './pass-request-body.ts'
import type { ProxyRules } from './proxy-rules.ts'

interface RulesOptions extends InjectionOptions {
  /** Without its body. */
  readonly call: Call
  /** Reads the body, or the beginning of a long one. Undefined if the call has none. */
  readonly readBody: ((done: (head: BodyHead) => void) => void) | undefined
  /** Forwards the call to the service. `injection`: what rules do to it. */
  readonly forward: (injection: Injection | undefined) => void
}

/** Forwards a call, or answers it by a rule. */
export function applyRules(rules: ProxyRules, options: RulesOptions): void {
  const { call, record, readBody, forward } = options
  const apply = (head: BodyHead | undefined) => {
    const outcome = rules.consult(head?.isWhole ? { ...call, body: head.bytes } : call)
    if (outcome === undefined) {
      forward(undefined)
      return
    }
    const injection = createInjection(outcome, options)
    if (!injection.answersRequest) injection.onRequest(() => forward(injection))
    else
      withBody(head, ({ bytes }) => {
        // The journal has the body of a call that the service never sees.
        record.requestBody.add(bytes)
        injection.onRequest(() => {})
      })
  }
  const withBody = (head: BodyHead | undefined, done: (head: BodyHead) => void) => {
    if (head !== undefined) done(head)
    else if (readBody !== undefined) readBody(done)
    else done({ bytes: new Uint8Array(), isWhole: true })
  }
  if (rules.readsBodies && readBody !== undefined) readBody(apply)
  else apply(undefined)
}
