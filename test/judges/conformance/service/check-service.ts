import {
  type CheckOutcome,
  checkService,
  severityOf,
} from '../../../../src/judges/conformance/check-service.ts'
import type { CheckId } from '../../../../src/judges/conformance/checks.ts'
import { authorizationOf, targetOf } from '../../../../src/judges/conformance/requests.ts'
import { type CheckOptions, usualCalls } from '../../../../src/judges/conformance/sender.ts'
import type { Judge } from '../../../../src/judges/contract/judge.ts'
import { loadContract } from '../../../../src/library/files/load-contract.ts'
import { createService, type Service } from './service.ts'
import { key, type Traits } from './traits.ts'

const judge = remembering(await shippedJudge())

export async function shippedJudge(): Promise<Judge> {
  const loaded = await loadContract(undefined)
  if (!loaded.ok) throw new Error(loaded.complaints.join('\n'))
  return loaded.value
}

/**
 * A judge that judges equal exchanges once. Of a header's number, only its length counts, up to 11 digits: the contract's
 * bounds lie beyond, at 12.
 */
export function remembering({ operations, judge }: Judge): Judge {
  const known = new Map<string, ReturnType<Judge['judge']>>()
  return {
    operations,
    judge: exchange => {
      const headers = Object.entries(exchange.headers).map(([name, value]) => [
        name,
        name === 'date'
          ? ''
          : value.replaceAll(/(?<![-\d])\d{1,11}(?!\d)/g, digits => '1'.repeat(digits.length)),
      ])
      const text = JSON.stringify([exchange.requestHeaders, { ...exchange, headers }])
      const judgement = known.get(text) ?? judge(exchange)
      known.set(text, judgement)
      return judgement
    },
  }
}

export const quotas = { free: { minute: 60, day: 1_000 }, pro: { minute: 300, day: 10_000 } } as const
export type Plan = keyof typeof quotas

export interface Checked {
  readonly outcome: CheckOutcome
  readonly errors: readonly CheckId[]
  readonly notes: readonly CheckId[]
  /** What failed, as sentences. */
  readonly details: readonly string[]
  /** Milliseconds on the clock of the run. */
  readonly lasted: number
}

export interface CheckedAs extends Partial<CheckOptions> {
  readonly plan?: Plan
  /** How long a call takes, in milliseconds. */
  readonly latency?: number
  /** Epoch milliseconds. */
  readonly start?: number
  /** Somebody else acts before each call. */
  readonly meanwhile?: (service: Service, call: number) => void
}

const spring = Date.UTC(2026, 2, 2, 12, 0, 7, 400)

/** Checks a service in process, on a clock that only calls and waits move, with the calls that the command would make. */
export async function checkTraits(
  traits: Partial<Traits> | (() => Partial<Traits>),
  as: CheckedAs = {},
): Promise<Checked> {
  const {
    plan = 'free',
    latency = 20,
    start = spring,
    meanwhile = () => {},
    exhausts = false,
    ...options
  } = as
  const service = createService({
    quota: quotas[plan],
    ...(typeof traits === 'function' ? traits() : traits),
  })
  let now = start
  let calls = 0
  const outcome = await checkService({
    judge,
    plan,
    basePath: '/v1',
    maxCalls: usualCalls(plan, exhausts),
    maxTimeMs: exhausts ? 600_000 : 300_000,
    allowsWrites: true,
    exhausts,
    seed: 1,
    now: () => now,
    wait: async ms => {
      now += ms
    },
    onCall: () => {},
    send: async request => {
      const authorization = authorizationOf(request, key)
      const named = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value])
      calls += 1
      meanwhile(service, calls)
      now += latency
      return service.handle({
        method: request.method,
        target: targetOf(request, '/v1'),
        headers: {
          host: '127.0.0.1:80',
          ...(authorization !== undefined && { authorization }),
          ...Object.fromEntries(named),
        },
        body: request.body,
        at: now,
      })
    },
    ...options,
  })
  const ids = [...new Set(outcome.failed.map(({ check }) => check))]
  return {
    outcome,
    errors: ids.filter(id => severityOf(id, outcome, false) === 'error'),
    notes: ids.filter(id => severityOf(id, outcome, false) === 'info'),
    details: outcome.failed.map(
      ({ check, request, status, detail }) =>
        `${check}: ${request.method} ${request.target} ${status}: ${detail}`,
    ),
    lasted: now - start,
  }
}
