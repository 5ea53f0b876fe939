import { CheckRun } from '../../../src/judges/conformance/check-run.ts'
import type { CheckRequest } from '../../../src/judges/conformance/requests.ts'
import type { CheckOptions } from '../../../src/judges/conformance/sender.ts'
import type { WholeAnswer } from '../../../src/judges/walkthrough/target.ts'
import { noon } from '../../support/scenarios.ts'

/** The answer to a request, as far as it differs from an empty list. `number`: the first request has 1. */
type Service = (request: CheckRequest & { readonly number: number }) => Partial<WholeAnswer>

/** A run against a service whose answers take 100 ms each, and what it sent. Its contract has no operations. */
export function runAgainst(service: Service, options: Partial<CheckOptions> = {}) {
  const sent: string[] = []
  const waits: string[] = []
  let now = noon
  const judgement = {
    operation: undefined,
    isDocumented: true,
    isOtherError: false,
    breaches: [],
    assumed: new Set<never>(),
    isBodyAssumed: false,
  }
  const run = new CheckRun({
    send: async request => {
      sent.push(`${request.method} ${request.target}`)
      now += 100
      return { status: 200, headers: {}, text: '[]', ...service({ ...request, number: sent.length }) }
    },
    judge: { operations: [], judge: async () => judgement },
    plan: 'free',
    basePath: '/v1',
    maxCalls: 300,
    maxTimeMs: 600_000,
    allowsWrites: true,
    exhausts: true,
    seed: 1,
    now: () => now,
    wait: async (ms, why) => {
      waits.push(`${ms} ms ${why}`)
      now += ms
    },
    onCall: () => {},
    ...options,
  })
  return { run, sent, waits }
}
