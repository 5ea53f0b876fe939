import { parseDuration } from '../../base/time/duration.ts'
import { type CallStep, type Step, timesOf } from '../../control/scenario/walkthrough.ts'
import type { Difference } from './body-differences.ts'
import { compare, tally } from './compare.ts'
import type { Answer, Done, Impossible, WalkthroughTarget } from './target.ts'
import { walkthroughCall } from './walkthrough-call.ts'

/** What became of one step. */
export interface PlayedStep {
  readonly step: Step
  /** How many calls it made, and what they came to: `200 ×60, 429 ×10`. */
  readonly calls: number
  readonly outcome: string
  readonly differences: readonly Difference[]
  readonly unjudged: readonly string[]
  /** Why the step could not be played, nor any after it. */
  readonly impossible?: string
}

/** Acts out a story, step by step; `key` is the scenario's. It ends early where a step cannot be played. */
export async function* play(
  steps: readonly Step[],
  key: string,
  stage: WalkthroughTarget,
): AsyncGenerator<PlayedStep> {
  for (const step of steps) {
    const played = await playStep(step, key, stage)
    yield played
    if (played.impossible !== undefined) return
  }
}

/** Whether a story, of which these steps were played, went as it is told. */
export function hasPassed(steps: readonly Step[], played: readonly PlayedStep[]): boolean {
  return (
    played.length === steps.length &&
    played.every(({ differences, impossible }) => differences.length === 0 && impossible === undefined)
  )
}

async function playStep(step: Step, key: string, stage: WalkthroughTarget): Promise<PlayedStep> {
  if ('call' in step) return await playCall(step, key, stage)
  if ('advance' in step) return without(step, await stage.advance(parseDuration(step.advance) ?? 0))
  if ('change' in step) return without(step, await stage.change(step.change))
  return without(step, { ok: true })
}

function without(step: Step, done: Done): PlayedStep {
  const played = { step, calls: 0, outcome: '', differences: [], unjudged: [] }
  return done.ok ? played : { ...played, impossible: done.impossible }
}

async function playCall(step: CallStep, key: string, stage: WalkthroughTarget): Promise<PlayedStep> {
  const call = walkthroughCall({ ...step, key: step.key === undefined ? key : step.key })
  const outcomes = await callAll(step, () => stage.call(call))
  const answers = outcomes.flatMap(outcome => ('impossible' in outcome ? [] : [outcome]))
  const made = { step, calls: answers.length, outcome: tally(answers) }
  const missing = outcomes.find(outcome => 'impossible' in outcome)
  if (missing !== undefined) return { ...made, differences: [], unjudged: [], impossible: missing.impossible }
  return { ...made, ...compare(step, answers, stage.cannotJudge) }
}

/** As often as the step says; of calls in turn, up to the first that cannot be made. */
async function callAll(
  step: CallStep,
  call: () => ReturnType<WalkthroughTarget['call']>,
): Promise<readonly (Answer | Impossible)[]> {
  const times = timesOf(step)
  if (step.parallel !== undefined) return await Promise.all(Array.from({ length: times }, call))
  const inTurn: (Answer | Impossible)[] = []
  while (inTurn.length < times) {
    const outcome = await call()
    inTurn.push(outcome)
    if ('impossible' in outcome) break
  }
  return inTurn
}
