import { formatCount } from '../../base/text/quantities.ts'
import { formatDuration } from '../../base/time/duration.ts'
import { formatInstant } from '../../base/time/instant.ts'
import type { Fixtures } from '../../control/fixtures/fixtures.ts'
import type { Step } from '../../control/scenario/file.ts'
import { settle } from '../../control/scenario/settle/settle.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import type { Difference } from '../../judges/walkthrough/compare.ts'
import { createInProcessTarget, withFrozenClock } from '../../judges/walkthrough/in-process.ts'
import { describeStep, hasPassed, type PlayedStep, play } from '../../judges/walkthrough/play.ts'
import { shippedWalkthroughs } from '../../judges/walkthrough/shipped.ts'
import { type Run, refuseUsage } from '../arguments/command.ts'
import { exitCodes, type Io } from '../terminal/io.ts'
import { waitVisibly } from '../terminal/progress.ts'
import {
  cell,
  createPaint,
  jsonLine,
  listFacts,
  type Paint,
  printable,
  tableLines,
  widthsOf,
  wrap,
} from '../terminal/text.ts'
import type { PlayValues } from './flags.ts'
import { loadByName, type NamedScenario } from './load-by-name.ts'
import { openServerTarget } from './server-target.ts'

export const run: Run<PlayValues> = async invocation => {
  const { values, complaints, words, io } = invocation
  const names = values.all ? [...shippedWalkthroughs.keys(), ...words] : words
  const loading = await loadByName(names, invocation)
  const all = [
    ...complaints,
    ...(names.length > 0 ? [] : ['Expected: pet-mock scenarios play NAME|FILE…, or --all']),
    ...(loading.ok
      ? loading.value
          .filter(({ file }) => (file.walkthrough ?? []).every(step => describeStep(step) === ''))
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
async function openTarget(scenario: Scenario, fixtures: Fixtures, values: PlayValues, io: Io) {
  const { against, key = scenario.key, 'admin-token': token, 'max-time': maxTimeMs } = values
  if (against === undefined) {
    const { at } = withFrozenClock(scenario).clock
    const where = `key ${scenario.key}, clock frozen at ${formatInstant(at ?? 0)}`
    return { target: { ...createInProcessTarget(scenario, fixtures), close: async () => undefined }, where }
  }
  try {
    const wait = (ms: number) => waitVisibly(ms, io)
    const { key: scenarioKey } = scenario
    const target = await openServerTarget({ url: against, scenarioKey, key, token, maxTimeMs, wait })
    const clock =
      target.closed === undefined
        ? 'pet-mock moves its clock'
        : `pet-mock waits in real time, at most ${formatDuration(maxTimeMs)} (${target.closed.replace(/\.$/, '')})`
    const where = `against ${against.origin}, which must be at the start of this scenario; ${clock}`
    return { target, where: printable(where) }
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

const margin = ' '.repeat(8)
const callWidth = 44

export function createPlayLines(paint: Paint, columns: number) {
  const width = Math.max(40, Math.min(columns, 110))
  const dim = (text: string) =>
    wrap(printable(text), width - margin.length).map(line => `${margin}${paint('dim', line)}`)
  return {
    title: ({ name, title, description }: Scenario, where: string) => {
      const shown = printable(name)
      const head = title === name ? shown : `${paint('bold', printable(title))} ${paint('dim', `(${shown})`)}`
      const about = wrap(printable(description ?? ''), width - 2).map(line => `  ${paint('dim', line)}`)
      return `${['', `  ${head}`, ...about, `  ${paint('dim', where)}`, ''].join('\n')}\n`
    },
    step: (number: number, played: PlayedStep) => {
      const { step, outcome, differences, unjudged, impossible } = played
      const note = 'note' in step && step.note !== undefined ? dim(step.note) : []
      const what = printable(describeStep(step))
      if (what === '') return `${note.join('\n')}\n`
      const mark = markOf(played, paint)
      const line = `${`${number}`.padStart(4)}  ${mark} ${what.padEnd(callWidth)}  ${outcome}`.trimEnd()
      const after = [...differenceTable(differences, width, paint), ...unjudged.flatMap(dim)]
      if (impossible !== undefined)
        after.push(margin + paint('red', `cannot be played: ${printable(impossible)}`))
      return `${[...note, line, ...after].join('\n')}\n`
    },
    end: (steps: readonly Step[], played: readonly PlayedStep[]) => {
      const calls = played.reduce((sum, step) => sum + step.calls, 0)
      const differing = played.filter(({ differences }) => differences.length > 0).length
      const whole = played.filter(({ impossible }) => impossible === undefined).length
      const left = steps.length - whole
      const done = left === 0 ? '' : `${whole} of `
      const findings = listFacts([
        differing === 0 ? '' : `${formatCount(differing, 'step')} ${differing === 1 ? 'differs' : 'differ'}`,
        left === 0 ? '' : `${formatCount(left, 'step')} not played`,
      ])
      const open = unjudgedSteps(played)
      const passed = open === '' ? paint('green', 'passed') : paint('yellow', `passed, ${open}`)
      const verdict = findings === '' ? passed : paint('red', listFacts([findings, open]))
      return `\n  ${done}${formatCount(steps.length, 'step')}, ${formatCount(calls, 'call')}: ${verdict}\n\n`
    },
  }
}

/** `2 steps not wholly judged`; empty if all were. */
function unjudgedSteps(played: readonly PlayedStep[]): string {
  const open = played.filter(({ unjudged }) => unjudged.length > 0).length
  return open === 0 ? '' : `${formatCount(open, 'step')} not wholly judged`
}

function markOf({ step, differences, unjudged, impossible }: PlayedStep, paint: Paint): string {
  if (differences.length > 0 || impossible !== undefined) return paint('red', '✗')
  if (unjudged.length > 0) return paint('yellow', '–')
  return 'call' in step && step.expect !== undefined ? paint('green', '✓') : paint('dim', '·')
}

function differenceTable(differences: readonly Difference[], width: number, paint: Paint): readonly string[] {
  if (differences.length === 0) return []
  const head = ['', 'expected', 'got'].map(title => cell(title, { style: 'dim' }))
  const rows = differences.map(({ what, expected, got }) => [
    cell(what),
    cell(expected, { style: 'green' }),
    cell(got, { style: 'red' }),
  ])
  const [nameWidth = 0, ...widths] = widthsOf([head, ...rows])
  const most = Math.max(12, Math.floor((width - margin.length - nameWidth - 6) / 2))
  const shown = [nameWidth, ...widths.map(width => Math.min(width, most))]
  return tableLines([head, ...rows], paint, shown).map(line => margin + line)
}
