import { readJson } from '../../base/json/read.ts'
import { formatDuration } from '../../base/time/duration.ts'
import { shippedFixtures } from '../../control/fixtures/fixtures.ts'
import type { CallStep, Expectation, ScenarioFile, Step } from '../../control/scenario/file.ts'
import { settle } from '../../control/scenario/settle/settle.ts'
import { createInProcessTarget } from '../walkthrough/in-process.ts'
import type { PlayedAnswer } from '../walkthrough/target.ts'
import type { DrawnSituation } from './situation.ts'

/** A call of the client, with secrets masked. */
export interface ClientCall {
  readonly method: string
  readonly target: string
  readonly body: string | undefined
  readonly type: string | undefined
  /** Whether it had a valid API key. */
  readonly hasKey: boolean
}

/**
 * A walkthrough of a client's calls that ends where the situation shows: with its first refusal, with its last fault, or
 * with the last call.
 */
export async function showSituation(
  situation: DrawnSituation,
  scenario: ScenarioFile,
  calls: readonly ClientCall[],
): Promise<readonly Step[]> {
  const settled = settle('breaks', scenario, shippedFixtures)
  const target = createInProcessTarget(settled, shippedFixtures)
  const steps: Step[] = []
  const { minute, day, ban, fault } = situation
  let refusals = (minute ?? day ?? ban) === undefined ? 0 : 1
  // A ban begins after the first call.
  const first = ban === undefined ? 0 : 1
  const ofFault = fault === undefined ? 0 : fault.nth + fault.times - 1
  // Where no call is refused or fails, the last one is the one that broke the client.
  let answers = refusals > 0 || ofFault > 0 ? Math.max(first, ofFault) : calls.length
  for (const call of calls) {
    if (refusals <= 0 && answers <= 0) break
    const key = call.hasKey ? ['Authorization', `Bearer ${settled.key}`] : []
    const type = call.type === undefined ? [] : ['Content-Type', call.type]
    const answer = await target.call({ ...call, headers: [...key, ...type] })
    if ('impossible' in answer) break
    addCall(steps, { ...stepOf(call), expect: expectationOf(answer) })
    if ('fails' in answer || answer.status !== 429) answers -= 1
    else {
      refusals -= 1
      if (answers <= 0) break
      const { date = '', 'x-ratelimit-reset': reset } = answer.headers
      // Retry-After may be in any form.
      const waitMs = Math.max(1_000, Number(reset) * 1_000 - Date.parse(date))
      steps.push({ advance: formatDuration(waitMs) })
      await target.advance(waitMs)
    }
  }
  return steps
}

function stepOf({ method, target, body, type, hasKey }: ClientCall): CallStep {
  const isJson = type === undefined || /^application\/json\b/i.test(type)
  const reading = body === undefined || !isJson ? undefined : readJson(body)
  return {
    call: `${method} ${target}`,
    ...(!hasKey && { key: null }),
    ...(type !== undefined && !isJson && { headers: { 'Content-Type': type } }),
    ...(body !== undefined && { body: reading && 'value' in reading ? reading.value : body }),
  }
}

/** Counts equal calls in a row in one step. */
function addCall(steps: Step[], step: CallStep): void {
  const last = steps.at(-1)
  const repeat = last !== undefined && 'call' in last ? (last.repeat ?? 1) : 0
  const { expect, ...call } = step
  const repeated = { ...call, repeat, expect }
  const isSame = isEqual(last, repeat === 1 ? step : repeated)
  if (isSame) steps.splice(-1, 1, { ...call, repeat: repeat + 1, expect })
  else steps.push(step)
}

function isEqual(one: unknown, other: unknown): boolean {
  const text = (value: unknown) =>
    JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))
  return text(one) === text(other)
}

function expectationOf(answer: PlayedAnswer): Expectation {
  if ('fails' in answer) return { fails: answer.fails }
  const { status, headers, text } = answer
  if ('problem' in readJson(text)) return { fails: 'malformed' }
  const retryAfter = headers['retry-after']
  if (retryAfter === undefined) return { status }
  // A date depends on the clock of the server that is played against.
  return { status, headers: { 'Retry-After': /^\d+$/.test(retryAfter) ? Number(retryAfter) : true } }
}
