import { readJson } from '../../base/json/read.ts'
import { formatDuration } from '../../base/time/duration.ts'
import { shippedFixtures } from '../../control/fixtures/fixtures.ts'
import type { CallStep, Expectation, ScenarioFile, Step } from '../../control/scenario/file.ts'
import { settle } from '../../control/scenario/settle/settle.ts'
import { createInProcessTarget } from '../walkthrough/in-process.ts'
import type { Answer } from '../walkthrough/target.ts'
import type { Situation } from './situation.ts'

const call = { method: 'GET', target: '/v1/pets' }

/** A walkthrough that ends where the situation shows: with its first refusal, or with its last fault. */
export async function showSituation(situation: Situation, scenario: ScenarioFile): Promise<readonly Step[]> {
  const settled = settle('breaks', scenario, shippedFixtures)
  const target = createInProcessTarget(settled, shippedFixtures)
  const headers = ['Authorization', `Bearer ${settled.key}`]
  const steps: Step[] = []
  const { minute, day, ban, fault } = situation
  let refusals = (minute ?? day ?? ban) === undefined ? 0 : 1
  // A ban begins after the first call.
  const first = ban === undefined && refusals > 0 ? 0 : 1
  let answers = fault === undefined ? first : Math.max(first, fault.nth + fault.times - 1)
  while (refusals > 0 || answers > 0) {
    const answer = await target.call({ ...call, headers, body: undefined })
    if ('impossible' in answer) break
    addCall(steps, { call: `${call.method} ${call.target}`, expect: expectationOf(answer) })
    const waitMs = refusedFor(answer)
    if (waitMs === undefined) answers -= 1
    else {
      refusals -= 1
      if (answers <= 0) break
      steps.push({ advance: formatDuration(waitMs) })
      await target.advance(waitMs)
    }
  }
  return steps
}

/** Counts equal calls in a row in one step. */
function addCall(steps: Step[], step: CallStep): void {
  const last = steps.at(-1)
  const repeat = last !== undefined && 'call' in last ? (last.repeat ?? 1) : 0
  const isSame = last !== undefined && 'call' in last && same(last.expect, step.expect)
  if (isSame) steps.splice(-1, 1, { call: step.call, repeat: repeat + 1, expect: step.expect })
  else steps.push(step)
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The wait until a refused call is answered, in milliseconds. Retry-After may be in any form. */
function refusedFor(answer: Answer): number | undefined {
  if ('fails' in answer || answer.status !== 429) return undefined
  const { date = '', 'x-ratelimit-reset': reset } = answer.headers
  return Math.max(1_000, Number(reset) * 1_000 - Date.parse(date))
}

function expectationOf(answer: Answer): Expectation {
  if ('fails' in answer) return { fails: answer.fails }
  const { status, headers, text } = answer
  if ('problem' in readJson(text)) return { fails: 'malformed' }
  const retryAfter = headers['retry-after']
  if (retryAfter === undefined) return { status }
  // A date depends on the clock of the server that is played against.
  return { status, headers: { 'Retry-After': /^\d+$/.test(retryAfter) ? Number(retryAfter) : true } }
}
