import type { JsonValue } from '../../../base/json/value.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import type { Fixtures } from '../../../control/fixtures/fixtures.ts'
import { effectiveKeys, featuredKey } from '../../../control/scenario/effective.ts'
import type { ScenarioFile, Step } from '../../../control/scenario/file.ts'
import { settleChecked } from '../../../control/scenario/settle/settle.ts'
import { shippedScenarios } from '../../../control/scenario/shipped.ts'
import { scenarioText } from '../../../control/scenario/show.ts'
import type { Scenario } from '../../../emulator/worlds/scenario.ts'
import { withRehearsal } from '../../../judges/rehearsal/rehearsal.ts'
import { createRunningTarget, withFrozenClock } from '../../../judges/walkthrough/in-process.ts'
import { describeStep, playStep } from '../../../judges/walkthrough/play.ts'
import { shippedWalkthroughs } from '../../../judges/walkthrough/shipped.ts'
import type { RouteRequest } from '../routing/route.ts'

export function showDetails(name: string, file: ScenarioFile, fixtures: Fixtures) {
  const { title = name, description = null } = file
  const walkthrough = shippedWalkthroughs.get(name) ?? []
  const { clock } = withFrozenClock(settleChecked(name, { ...file, pets: { count: 0 } }, fixtures))
  const frozen = { at: formatInstant(clock.at ?? 0), frozen: true, scale: null, offset: null }
  return {
    name,
    title,
    description,
    key: featuredKey(file, effectiveKeys(file, fixtures)) ?? '',
    yaml: scenarioText(
      { ...withRehearsal(name, file), ...(walkthrough.length > 0 && { walkthrough }) },
      fixtures,
    ),
    start: { name, scenario: { title, description, extends: name, clock: frozen } },
    steps: showSteps(walkthrough),
  }
}

/** A scenario of the user's own that runs: the server has its steps, and no longer its file. */
export function showRunning({ name, title, description, key, walkthrough = [] }: Scenario) {
  const steps = showSteps(walkthrough as readonly Step[])
  return { name, title, description: description ?? null, key, yaml: null, start: null, steps }
}

function showSteps(steps: readonly Step[]) {
  return steps.map(step => ({
    kind: kindOf(step),
    text: describeStep(step),
    note: ('note' in step && step.note) || null,
    step,
  }))
}

function kindOf(step: Step): 'call' | 'advance' | 'change' | 'note' {
  if ('call' in step) return 'call'
  if ('advance' in step) return 'advance'
  return 'change' in step ? 'change' : 'note'
}

/** Plays a step of a walkthrough by its number: a shipped one, or that of the running scenario. Undefined: there is none. */
export async function playOne(
  name: string,
  number: number,
  earlier: Readonly<Record<string, JsonValue>>,
  { controls: { emulator, change, fixtures }, world: { scenario, sandbox }, now }: RouteRequest,
) {
  const steps = shippedWalkthroughs.get(name) ?? ((scenario.walkthrough ?? []) as readonly Step[])
  const step = steps[number - 1]
  if (step === undefined) return undefined
  const saved = new Map(Object.entries(earlier))
  const file = shippedScenarios.get(name)
  const key = file === undefined ? scenario.key : (featuredKey(file, effectiveKeys(file, fixtures)) ?? '')
  const target = createRunningTarget({ emulator, change, sandbox, now })
  const played = await playStep(step, key, target, saved)
  const { calls, outcome, differences, unjudged, impossible = null } = played
  const shown = { number, calls, outcome, differences, unjudged, impossible }
  return { ...shown, saved: Object.fromEntries(saved), isLast: number === steps.length }
}
