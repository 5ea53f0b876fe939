import { createConduct } from '../../conduct/conduct.ts'
import { conductContext } from '../../conduct/judge-worlds.ts'
import { sortFindings } from '../../report/finding.ts'
import type { BoxPlayer } from '../play-box.ts'
import type { Box } from '../read-box.ts'
import { recordBox } from '../record-box.ts'
import { nameOf, outcomeOf, readRun } from './diff.ts'

/**
 * Looks for the fewest calls of a run that still give a finding: first the shortest start of the run, then without as many
 * calls as possible. `sought`: the id of the finding; by default, the worst one of the run. Undefined: the run does not give
 * it. Else the numbers of the `calls` that are left, how many the shortest `start` of the run has, and whether the finding goes
 * without any of the calls: if not, no run was left to try.
 */
export async function shorten(
  box: Box,
  play: (box: Box) => Promise<BoxPlayer>,
  { sought, maxRuns }: { readonly sought: string | undefined; readonly maxRuns: number },
) {
  const numbers = box.steps.flatMap(step => (step.kind === 'call' ? [step.number] : []))
  const whole = await judge(await play(box))
  const finding = sought ?? whole.worst
  const end = finding === undefined ? undefined : whole.since.get(finding)
  if (finding === undefined || end === undefined) return undefined
  let runs = 1
  const holds = async (calls: readonly number[]) => {
    runs += 1
    return (await judge(await play(withCalls(box, calls)))).ids.has(finding)
  }
  const started = numbers.filter(number => number <= end)
  // What later calls take back is seen only without them.
  let calls = (await holds(started)) ? started : numbers
  const start = calls.length
  let size = Math.ceil(calls.length / 2)
  let at = calls.length
  let isFewer = false
  for (;;) {
    if (at === 0) {
      if (size === 1 && !isFewer) return { finding, calls, start, runs, isSmallest: true }
      size = Math.ceil(size / 2)
      at = calls.length
      isFewer = false
    }
    if (runs >= maxRuns) return { finding, calls, start, runs, isSmallest: false }
    at = Math.max(0, at - size)
    const fewer = calls.toSpliced(at, size)
    if (fewer.length === 0 || !(await holds(fewer))) continue
    calls = fewer
    isFewer = true
  }
}

/** A run with these calls alone, by their numbers. */
export function withCalls(box: Box, calls: readonly number[]): Box {
  const kept = new Set(calls)
  return { ...box, steps: box.steps.filter(step => !('number' in step) || kept.has(step.number)) }
}

/** Plays a run, and records it. `lines`: its calls, for people. `text`: the lines of its box. */
export async function recordAgain(run: Box, play: (box: Box) => Promise<BoxPlayer>) {
  const player = await play(run)
  const { ahead: _ahead, contract: _contract, ...served } = run.header
  const recorder = recordBox(player.emulator, served)
  const { calls } = await readRun({ box: run, player })
  const lines = calls.map(
    call => `${nameOf({ green: undefined, red: call })} got ${outcomeOf(call.exchange)}`,
  )
  return { lines, text: recorder.end() }
}

/** The findings of a played run. `since`: the first call after which there is each. `ids`: those at the end. */
async function judge(player: BoxPlayer) {
  const { sandboxes } = player.emulator
  const conduct = createConduct(conductContext(name => sandboxes.get(name), sandboxes))
  const since = new Map<string, number>()
  const found = () => conduct.findings().filter(({ severity, expected }) => severity !== 'info' && !expected)
  for (let call = await player.step(); call !== undefined; call = await player.step()) {
    if (call.exchange !== undefined) conduct.add(call.exchange)
    for (const { id } of found()) if (!since.has(id)) since.set(id, call.number)
  }
  const findings = sortFindings(found())
  return { since, worst: findings[0]?.id, ids: new Set<string>(findings.map(({ id }) => id)) }
}
