import { writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { formatCount, groupDigits } from '../../../base/text/quantities.ts'
import { BoxError } from '../../../judges/box/read-box.ts'
import { diffRuns, readRun } from '../../../judges/box/runs/diff.ts'
import { recordAgain, shorten, withCalls } from '../../../judges/box/runs/shorten.ts'
import { type Otherwise, playWhatIf, whatIfLines, withRules } from '../../../judges/box/runs/what-if.ts'
import { explainFileError } from '../../../library/files/read-file.ts'
import { type Invocation, type Run, refuseUsage } from '../../arguments/command.ts'
import { type OpenedBox, openBox } from '../../box/open-box.ts'
import { readRules } from '../../rules/read-rules.ts'
import { loadProfile } from '../../start/load/load-from-flags.ts'
import { complaintsOf, type Loading, typedPath } from '../../start/load/loading.ts'
import { exitCodes, type Io } from '../../terminal/io.ts'
import { printable } from '../../terminal/text.ts'
import type { PlayValues, ReadValues, ShortenValues } from './flags.ts'

/* The commands that compare runs. */

/** The most differences that are listed. */
const mostListed = 20

export const diff: Run<ReadValues> = async ({ words: [green = '', red = ''], values, io }) => {
  const openings = [await openBox(green, values.openapi), await openBox(red, values.openapi)] as const
  const [one, other] = openings
  if (!one.ok || !other.ok) return refuseUsage(complaintsOf(...openings), io)
  const runs = [await readRun(one.value), await readRun(other.value)] as const
  const [first, ...rest] = diffRuns(...runs)
  if (first === undefined) return print(['The runs do not differ.'], io)
  const left = rest.length - mostListed
  const others = rest.slice(0, mostListed).map(({ sentence }) => sentence)
  const lines = [`First difference: ${first.sentence}`, ...others]
  print(left > 0 ? [...lines, `and ${groupDigits(left)} more`] : lines, io)
  return exitCodes.findings
}

function print(lines: readonly string[], io: Io): number {
  io.stdout.write(lines.map(line => `${printable(line)}\n`).join(''))
  return exitCodes.fine
}

/** Plays a run with one change. */
export async function whatIf(
  { values, sources, io }: Invocation<PlayValues>,
  { box, play }: OpenedBox,
): Promise<number> {
  const { from, set, rule, profile } = values
  if (from === undefined || [set, rule, profile].filter(value => value !== undefined).length !== 1)
    return refuseUsage(
      [
        '--from needs one change, and a change needs --from: add --from CALL and one of --set, --rule, --profile',
      ],
      io,
    )
  const reading = set === undefined ? await loadOtherwise(values, sources) : { ok: true as const, value: set }
  if (!reading.ok) return refuseUsage(reading.complaints, io)
  try {
    const result = await playWhatIf(box, play, from, reading.value)
    if (typeof result !== 'string') return print(whatIfLines(result, from), io)
    return refuseUsage([`call ${from}: ${result}`], io)
  } catch (error) {
    if (error instanceof BoxError) return refuseUsage([`--from: ${error.message}`], io)
    throw error
  }
}

async function loadOtherwise(
  { rule, profile }: PlayValues,
  sources: Invocation<PlayValues>['sources'],
): Promise<Loading<Otherwise>> {
  if (rule !== undefined) {
    const rules = await readRules(rule)
    return rules.ok ? { ok: true, value: withRules(rules.value.rules) } : rules
  }
  const loading = await loadProfile({ values: { profile }, sources })
  return loading.ok ? { ok: true, value: { fields: {}, profile: loading.value } } : loading
}

export const shortenRun: Run<ShortenValues> = async ({ words: [path = ''], values, io }) => {
  const { finding: sought, 'max-runs': maxRuns, output } = values
  const opening = await openBox(path, values.openapi)
  if (!opening.ok) return refuseUsage(opening.complaints, io)
  const { box, play } = opening.value
  const result = await shorten(box, play, { sought, maxRuns })
  if (result === undefined) {
    print([`The run does not give ${sought === undefined ? 'a finding' : `the finding ${sought}`}.`], io)
    return exitCodes.findings
  }
  const { finding, calls, start, runs, isSmallest } = result
  const short = withCalls(box, calls)
  const { lines, text } = await recordAgain(short, play)
  const why = isSmallest
    ? 'without any one of them, it is gone'
    : 'no run was left to try fewer; see --max-runs'
  const left = `${formatCount(calls.length, 'call')} of the first ${groupDigits(start)}`
  print([...lines, `${finding}: ${left}, after ${formatCount(runs, 'run')}: ${why}.`], io)
  if (output === undefined) return exitCodes.fine
  try {
    await writeFile(typedPath(output, io.env), gzipSync(text))
    return exitCodes.fine
  } catch (error) {
    io.stderr.write(`${printable(output)} cannot be written (${explainFileError(error)})\n`)
    return exitCodes.findings
  }
}
