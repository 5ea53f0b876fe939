import { writeJson } from '../../base/json/write.ts'
import { formatDuration, parseDuration } from '../../base/time/duration.ts'
import { injectedMessage } from '../../emulator/rules/injected-answer.ts'
import type { Delay, InjectedAnswer, Match, Rule, When } from '../../emulator/rules/rule.ts'
import type { MatchFields, RuleFields, ThenFields, WhenFields } from '../../generated/scenario-fields.ts'
import { type Fault, faultName } from '../../service/call/fault.ts'
import { problems } from '../../service/call/problems.ts'
import { timesOf } from './settings/rules.ts'

/** Settles rules that `checkRules` accepted. */
export function settleRules(rules: readonly RuleFields[]): readonly Rule[] {
  return rules.map((fields, index) => settleRule(fields, ruleName(fields, index)))
}

/** A rule without a name gets one from its position. */
export function ruleName({ name }: RuleFields, index: number): string {
  return name ?? `rule-${index + 1}`
}

export function settleRule({ match, when, then, on, times, ttl }: RuleFields, name: string): Rule {
  const { fault } = then ?? {}
  const toMs = (part: unknown) => (typeof part === 'string' ? parseDuration(part) : part)
  return {
    name,
    match: settleMatch(match ?? {}),
    when: settleWhen(when ?? {}),
    effect: {
      delay: settleDelay(then?.delay),
      answer: settleAnswer(then ?? {}),
      fault: fault && typeof fault === 'object' ? (mapAmount(fault, toMs) as Fault) : fault,
      direction: then?.direction,
    },
    ...(on === false && { off: true }),
    times,
    ttlMs: parseDuration(ttl ?? ''),
  }
}

function settleMatch({ query, body, ...rest }: MatchFields): Match {
  const texts = Object.entries(query ?? {}).map(([name, value]) => [name, `${value}`])
  return { ...rest, query: query && Object.fromEntries(texts), body: body && writeJson(body) }
}

function settleWhen({ first, every, after, between, probability }: WhenFields): When {
  const [from, to] = between ?? []
  return {
    first,
    every,
    afterCalls: typeof after === 'number' ? after : undefined,
    afterMs: typeof after === 'string' ? parseDuration(after) : undefined,
    between: between && [parseDuration(from ?? '') ?? 0, parseDuration(to ?? '') ?? 0],
    probability,
  }
}

function settleDelay(delay: ThenFields['delay']): Delay | undefined {
  if (delay === undefined) return undefined
  if (typeof delay === 'string') return { kind: 'fixed', ms: parseDuration(delay) ?? 0 }
  const { uniform, lognormal } = delay
  if (uniform !== undefined) {
    const [from, to] = uniform
    return { kind: 'uniform', fromMs: parseDuration(from) ?? 0, toMs: parseDuration(to) ?? 0 }
  }
  if (lognormal === undefined) return undefined
  const { median, p99 } = lognormal
  return { kind: 'lognormal', medianMs: parseDuration(median) ?? 0, p99Ms: parseDuration(p99) ?? 0 }
}

/** The injected answer. A delay or a fault alone has none and keeps the usual reply. */
function settleAnswer(then: ThenFields): InjectedAnswer | undefined {
  const status = answerStatus(then)
  if (status === undefined) return undefined
  const headers = Object.fromEntries(
    Object.entries(then.headers ?? {}).map(([name, value]) => [usualName(name), `${value}`]),
  )
  if (then.body !== undefined) {
    if (typeof then.body !== 'string') return { status, headers, body: writeJson(then.body) }
    return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers }, body: then.body }
  }
  if (status < 400) return { status, headers, body: '' }
  const { code } = then
  if (code === undefined) return { status, headers, body: '', isServices: true, message: then.message }
  const { message = injectedMessage(status, code) } = then
  return { status, code, headers, body: JSON.stringify({ code, message, status }) }
}

/** The given status, else that of the API's own code, else 200 for a given body. */
export function answerStatus({ status, code, body }: ThenFields): number | undefined {
  if (status !== undefined) return status
  const known: Readonly<Record<string, number>> = problems
  if (code !== undefined && Object.hasOwn(known, code)) return known[code]
  return body === undefined ? undefined : 200
}

/** Headers that pet-mock sets too. A rule's header replaces them in any case of letters. */
const usual = [
  'Allow',
  'Cache-Control',
  'Content-Security-Policy',
  'Content-Type',
  'Deprecation',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Service-Worker-Allowed',
  'Sunset',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

function usualName(name: string): string {
  return usual.find(known => known.toLowerCase() === name.toLowerCase()) ?? name
}

type FaultFields = NonNullable<ThenFields['fault']>

export function formatFault(fault: Fault): FaultFields {
  if (typeof fault === 'string') return fault
  const times = timesOf(faultName(fault))
  const write = (part: unknown, name: string) =>
    typeof part === 'number' && times.has(name) ? formatDuration(part) : part
  return mapAmount(fault, write) as FaultFields
}

/** Maps the parts of each amount. An amount without parts has the name `''`. */
function mapAmount(fault: object, map: (part: unknown, name: string) => unknown): unknown {
  const mapParts = (amount: unknown) => {
    if (typeof amount !== 'object' || amount === null) return map(amount, '')
    return Object.fromEntries(Object.entries(amount).map(([name, part]) => [name, map(part, name)]))
  }
  const given = Object.entries(fault).filter(([, amount]) => amount !== undefined)
  return Object.fromEntries(given.map(([name, amount]) => [name, mapParts(amount)]))
}
