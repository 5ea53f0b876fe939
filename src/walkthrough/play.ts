import { type CallStep, type Step, timesOf } from '../scenario/walkthrough.ts'
import { parseDuration } from '../time/duration.ts'
import type { Difference } from './body-differences.ts'
import { compare, tally } from './compare.ts'
import type { Answer, Done, Stage } from './stage.ts'
import { storyCall } from './story-call.ts'

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
export async function* play(steps: readonly Step[], key: string, stage: Stage): AsyncGenerator<PlayedStep> {
  for (const step of steps) {
    const played = await playStep(step, key, stage)
    yield played
    if (played.impossible !== undefined) return
  }
}

/** Whether a story, of which these steps were played, went as it is told. */
export function isAsTold(steps: readonly Step[], played: readonly PlayedStep[]): boolean {
  return (
    played.length === steps.length &&
    played.every(({ differences, impossible }) => differences.length === 0 && impossible === undefined)
  )
}

async function playStep(step: Step, key: string, stage: Stage): Promise<PlayedStep> {
  if ('call' in step) return await playCall(step, key, stage)
  if ('advance' in step) return without(step, await stage.advance(parseDuration(step.advance) ?? 0))
  if ('change' in step) return without(step, await stage.change(step.change))
  return without(step, { ok: true })
}

function without(step: Step, done: Done): PlayedStep {
  const played = { step, calls: 0, outcome: '', differences: [], unjudged: [] }
  return done.ok ? played : { ...played, impossible: done.impossible }
}

async function playCall(step: CallStep, key: string, stage: Stage): Promise<PlayedStep> {
  const call = storyCall({ ...step, key: step.key === undefined ? key : step.key })
  const calls = timesOf(step)
  let answers: readonly Answer[]
  if (step.parallel !== undefined) {
    answers = await Promise.all(Array.from({ length: calls }, () => stage.call(call)))
  } else {
    const inTurn: Answer[] = []
    for (let made = 0; made < calls; made += 1) inTurn.push(await stage.call(call))
    answers = inTurn
  }
  return { step, calls, outcome: tally(answers), ...compare(step, answers, stage.cannotJudge) }
}
