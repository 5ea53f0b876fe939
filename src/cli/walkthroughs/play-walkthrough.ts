import { formatDuration } from '../../base/time/duration.ts'
import { formatInstant } from '../../base/time/instant.ts'
import { settle } from '../../control/scenario/settle.ts'
import type { Step } from '../../control/scenario/walkthrough.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import { createInProcessTarget, withFrozenClock } from '../../judges/walkthrough/in-process.ts'
import { hasPassed, type PlayedStep, play } from '../../judges/walkthrough/play.ts'
import { shippedWalkthroughs } from '../../judges/walkthrough/shipped.ts'
import type { WalkthroughTarget } from '../../judges/walkthrough/target.ts'
import type { Run } from '../arguments/command.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import { exitCodes, type Io } from '../terminal/io.ts'
import { jsonLine } from '../terminal/json-line.ts'
import { createPaint } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import { waitVisibly } from '../terminal/wait-visibly.ts'
import type { PlayValues } from './flags.ts'
import { type NamedScenario, namedScenarios } from './name-scenario.ts'
import { openServerStage } from './play-against-server.ts'
import { createScript, type Script } from './play-report.ts'

export const run: Run<PlayValues> = async invocation => {
  const { values, complaints, typed, words, io } = invocation
  const names = values.all ? [...shippedWalkthroughs.keys(), ...words] : words
  const found = await namedScenarios(names, invocation)
  const all = [
    ...complaints,
    ...(values.against === undefined ? ['key', 'admin-token', 'max-wait'] : [])
      .filter(name => typed.has(name))
      .map(name => `--${name} is for a server: it needs --against URL`),
    ...(names.length > 0 ? [] : ['Expected: pet-mock scenarios play NAME|FILE…, or --all']),
    ...(found.ok
      ? found.value.filter(hasNoStory).map(({ name }) => `${name} has no walkthrough to play`)
      : found.complaints),
  ]
  if (!found.ok || all.length > 0) return refuseUsage(all, io)
  let isFine = true
  for (const named of found.value) {
    const told = await playOne(named, values, found.value.length > 1, io)
    isFine &&= told
  }
  return isFine ? exitCodes.fine : exitCodes.findings
}

function hasNoStory({ file }: NamedScenario): boolean {
  return (file.walkthrough ?? []).length === 0
}

interface Theatre {
  readonly stage: WalkthroughTarget
  readonly where: string
  readonly close: () => void
}

/** Plays a story and tells of it: all of it, or, among several, one line as long as it goes as it is told. */
async function playOne(
  { name, file, fixtures }: NamedScenario,
  values: PlayValues,
  isOneOfMany: boolean,
  io: Io,
): Promise<boolean> {
  const steps = file.walkthrough ?? []
  const scenario = settle(name, file, fixtures)
  const paint = createPaint(io.stdout)
  const script = createScript(paint, io.stdout.columns ?? 110)
  const theatre = await openTheatre(scenario, fixtures, values, io)
  if (typeof theatre === 'string') {
    io.stderr.write(`${theatre}\n`)
    return false
  }
  const { stage, where, close } = theatre
  const isShownAtOnce = !values.json && !isOneOfMany
  const played: PlayedStep[] = []
  if (isShownAtOnce) io.stdout.write(script.title(scenario, where))
  try {
    for await (const step of play(steps, scenario.key, stage)) {
      played.push(step)
      if (isShownAtOnce) io.stdout.write(script.step(played.length, step))
    }
  } finally {
    close()
  }
  const asTold = hasPassed(steps, played)
  if (values.json) io.stdout.write(`${jsonLine(forPrograms(name, steps, played))}\n`)
  else if (isShownAtOnce) io.stdout.write(script.end(steps, played))
  else if (asTold)
    io.stdout.write(
      `${paint('green', '✓')} ${printable(name)} ${paint('dim', `(${played.length} ${played.length === 1 ? 'step' : 'steps'})`)}\n`,
    )
  else io.stdout.write(wholeScript(script, scenario, where, steps, played))
  return asTold
}

function wholeScript(
  script: Script,
  scenario: Scenario,
  where: string,
  steps: readonly Step[],
  played: readonly PlayedStep[],
): string {
  const lines = played.map((step, index) => script.step(index + 1, step))
  return [script.title(scenario, where), ...lines, script.end(steps, played)].join('')
}

async function openTheatre(
  scenario: Scenario,
  fixtures: NamedScenario['fixtures'],
  values: PlayValues,
  io: Io,
): Promise<Theatre | string> {
  const { against, key, 'admin-token': token, 'max-wait': maxWaitMs } = values
  if (against === undefined) {
    const { at } = withFrozenClock(scenario).clock
    const where = `with the key ${scenario.key}, on a clock that stands at ${formatInstant(at ?? 0)}`
    return { stage: createInProcessTarget(scenario, fixtures), where, close: () => {} }
  }
  try {
    const wait = (ms: number) => waitVisibly(ms, io)
    const stage = await openServerStage({
      url: against,
      storyKey: scenario.key,
      key: key ?? scenario.key,
      token,
      maxWaitMs,
      wait,
    })
    const clock =
      stage.closed === undefined
        ? 'its clock is moved'
        : `time is waited for, ${formatDuration(maxWaitMs)} at most (${stage.closed.replace(/\.$/, '')})`
    return {
      stage,
      where: `against ${against.origin}, which must be in this situation; ${clock}`,
      close: stage.close,
    }
  } catch (error) {
    return `--against: ${against.origin} cannot be reached (${error instanceof Error ? error.message : error})`
  }
}

function forPrograms(name: string, steps: readonly Step[], played: readonly PlayedStep[]): object {
  return {
    scenario: name,
    asTold: hasPassed(steps, played),
    steps: steps.length,
    played: played.map(({ outcome, calls, differences, unjudged, impossible }, index) => ({
      step: index + 1,
      calls,
      outcome,
      differences,
      unjudged,
      ...(impossible !== undefined && { impossible }),
    })),
  }
}
