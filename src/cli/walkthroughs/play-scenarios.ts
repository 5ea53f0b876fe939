import { formatCount } from '../../base/text/quantities.ts'
import { formatDuration } from '../../base/time/duration.ts'
import { formatInstant } from '../../base/time/instant.ts'
import type { Step } from '../../control/scenario/file.ts'
import { settle } from '../../control/scenario/settle/settle.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import { createInProcessTarget, withFrozenClock } from '../../judges/walkthrough/in-process.ts'
import { hasPassed, type PlayedStep, play } from '../../judges/walkthrough/play.ts'
import { shippedWalkthroughs } from '../../judges/walkthrough/shipped.ts'
import type { Run } from '../arguments/command.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import { exitCodes, type Io } from '../terminal/io.ts'
import { jsonLine } from '../terminal/json-line.ts'
import { createPaint } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import { waitVisibly } from '../terminal/progress.ts'
import { listFacts } from '../terminal/quantities.ts'
import type { PlayValues } from './flags.ts'
import { loadByName, type NamedScenario } from './load-by-name.ts'
import { createPlayLines, unjudgedSteps } from './play-lines.ts'
import { openServerTarget } from './server-target.ts'

export const run: Run<PlayValues> = async invocation => {
  const { values, complaints, typed, words, io } = invocation
  const names = values.all ? [...shippedWalkthroughs.keys(), ...words] : words
  const loading = await loadByName(names, invocation)
  const all = [
    ...complaints,
    ...(values.against === undefined ? ['key', 'admin-token', 'max-wait'] : [])
      .filter(name => typed.has(name))
      .map(name => `--${name} is for a server: it needs --against URL`),
    ...(names.length > 0 ? [] : ['Expected: pet-mock scenarios play NAME|FILE…, or --all']),
    ...(loading.ok
      ? loading.value
          .filter(({ file }) => (file.walkthrough ?? []).length === 0)
          .map(({ name }) => `${name} has no walkthrough to play`)
      : loading.complaints),
  ]
  if (!loading.ok || all.length > 0) return refuseUsage(all, io)
  let allPassed = true
  for (const named of loading.value) {
    const passed = await playOne(named, values, loading.value.length > 1, io)
    allPassed &&= passed
  }
  return allPassed ? exitCodes.fine : exitCodes.findings
}

/** Plays a walkthrough, and prints each step at once. Among several, one that passes gets a single line. */
async function playOne(
  { name, file, fixtures }: NamedScenario,
  values: PlayValues,
  isOneOfMany: boolean,
  io: Io,
): Promise<boolean> {
  const steps = file.walkthrough ?? []
  const scenario = settle(name, file, fixtures)
  const opened = await openTarget(scenario, fixtures, values, io)
  if (typeof opened === 'string') {
    io.stderr.write(`${opened}\n`)
    return false
  }
  const { target, where } = opened
  const paint = createPaint(io.stdout)
  const lines = createPlayLines(paint, io.stdout.columns ?? 110)
  let held = ''
  const write = (text: string) => {
    if (values.json || isOneOfMany) held += text
    else io.stdout.write(text)
  }
  const played: PlayedStep[] = []
  write(lines.title(scenario, where))
  try {
    for await (const step of play(steps, scenario.key, target)) {
      played.push(step)
      write(lines.step(played.length, step))
    }
  } finally {
    const left = await target.close()
    if (left !== undefined)
      io.stderr.write(`The clock of ${values.against?.origin} was not reset: ${printable(left)}\n`)
  }
  write(lines.end(steps, played))
  const passed = hasPassed(steps, played)
  if (values.json) held = `${jsonLine(toJson(name, steps, played))}\n`
  else if (isOneOfMany && passed) {
    const open = unjudgedSteps(played)
    const mark = open === '' ? paint('green', '✓') : paint('yellow', '–')
    const facts = listFacts([formatCount(played.length, 'step'), open])
    held = `${mark} ${printable(name)} ${paint('dim', `(${facts})`)}\n`
  }
  io.stdout.write(held)
  return passed
}

/** Opens the target of a walkthrough and describes it, or returns a complaint about --against. */
async function openTarget(
  scenario: Scenario,
  fixtures: NamedScenario['fixtures'],
  values: PlayValues,
  io: Io,
) {
  const { against, key = scenario.key, 'admin-token': token, 'max-wait': maxWaitMs } = values
  if (against === undefined) {
    const { at } = withFrozenClock(scenario).clock
    const where = `key ${scenario.key}, clock frozen at ${formatInstant(at ?? 0)}`
    return { target: { ...createInProcessTarget(scenario, fixtures), close: async () => undefined }, where }
  }
  try {
    const wait = (ms: number) => waitVisibly(ms, io)
    const { key: scenarioKey } = scenario
    const target = await openServerTarget({ url: against, scenarioKey, key, token, maxWaitMs, wait })
    const clock =
      target.closed === undefined
        ? 'pet-mock moves its clock'
        : `pet-mock waits in real time, at most ${formatDuration(maxWaitMs)} (${target.closed.replace(/\.$/, '')})`
    const where = printable(
      `against ${against.origin}, which must be at the start of this scenario; ${clock}`,
    )
    return { target, where }
  } catch (error) {
    return `--against: ${against.origin} cannot be reached (${error instanceof Error ? error.message : error})`
  }
}

function toJson(name: string, steps: readonly Step[], played: readonly PlayedStep[]): object {
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
