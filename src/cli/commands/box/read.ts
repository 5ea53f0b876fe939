import { writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { formatCount, groupDigits } from '../../../base/text/quantities.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import { version } from '../../../doors/server/version.ts'
import { defaultSandbox } from '../../../emulator/worlds/sandboxes.ts'
import type { PlayedCall } from '../../../judges/box/play-box.ts'
import { type Box, BoxError, type Step } from '../../../judges/box/read-box.ts'
import { describeChange, diffRuns, readRun as readWholeRun } from '../../../judges/box/runs/diff.ts'
import { recordAgain, shorten, withCalls } from '../../../judges/box/runs/shorten.ts'
import { type Otherwise, playWhatIf, whatIfLines, withRules } from '../../../judges/box/runs/what-if.ts'
import { explain } from '../../../judges/inspection/explain.ts'
import { showRow } from '../../../judges/inspection/view.ts'
import { explainFileError } from '../../../library/files/read-file.ts'
import type { Call } from '../../../service/call/call.ts'
import { clip } from '../../../service/call/echo.ts'
import { type Invocation, type Run, type RunOf, refuseUsage } from '../../arguments/command.ts'
import { type OpenedBox, openBox } from '../../box/open-box.ts'
import { styleOf } from '../../log/request-lines.ts'
import { readRules } from '../../rules/read-rules.ts'
import { loadProfile } from '../../start/load/load-from-flags.ts'
import { complaintsOf, type Loading, typedPath } from '../../start/load/loading.ts'
import { exitCodes, type Io } from '../../terminal/io.ts'
import { createPaint, jsonLine, printable } from '../../terminal/text.ts'
import type { PlayValues, readFlags, shortenFlags, showFlags } from './flags.ts'

/* The commands that read a box, and start no server. */

export const show: RunOf<typeof showFlags> = async ({ words: [path = ''], values, io }) => {
  const opening = await openBox(path, values.openapi)
  if (!opening.ok) return refuseUsage(opening.complaints, io)
  const { box } = opening.value
  const { from, version, time } = box.header
  const width = groupDigits(box.end).length
  const paint = createPaint(io.stdout)
  const write = (line: string) => void io.stdout.write(`${line}\n`)
  const lost = from > 1 ? ` Calls before ${groupDigits(from)} are gone: they were beyond --box-size.` : ''
  const head = `Recorded by pet-mock ${version} from ${formatInstant(time[0] ?? 0)}: ${formatCount(box.end - from, 'call')}.${lost}`
  if (!values.json) write(paint('dim', printable(head)))
  for await (const { step, line } of readRun(opening.value)) {
    const input = describeInput(step)
    if (input !== undefined && !values.json)
      write(paint('dim', `${' '.repeat(width)}  ${printable(clip(input))}`))
    if (line === undefined) continue
    if (values.json) {
      write(jsonLine(showCall(line)))
      continue
    }
    const { call, played, reason, place } = line
    const { number, exchange, reply, isSame, expected } = played
    const { method, target } = call
    const parts = [
      groupDigits(number).padStart(width),
      place,
      paint('dim', formatInstant(exchange?.at ?? call.receivedAt)),
      printable(clip(`${method} ${target}`)),
      paint(styleOf(reply.status), [reply.status, exchange?.trace.code].join(' ').trim()),
      ...(isSame === false ? [paint('red', `not as in the run, which got ${expected.status}`)] : []),
      printable(reason),
    ]
    write(parts.join('  ').trimEnd())
  }
  io.stderr.write(noEnd(path, box))
  return exitCodes.fine
}

/** A call for programs. */
export function showCall({ call: { method, target }, played, sentences }: CallLine): object {
  const { number, exchange, reply, isSame = null } = played
  const row = exchange && showRow(exchange)
  return { call: number, method, target, status: reply.status, ...row, sentences, isSame }
}

function noEnd(path: string, { end, isWhole }: Box): string {
  const text = `${path} has no end: pet-mock was killed after call ${groupDigits(end - 1)}, or soon after it.`
  return isWhole ? '' : `${printable(text)}\n`
}

interface CallLine {
  readonly call: Call
  readonly played: PlayedCall
  /** `worker-3:12`; the journal does not have every call. */
  readonly place: string
  readonly sentences: readonly string[]
  /** The one about the decision. */
  readonly reason: string
}

/** Plays a run. `line`: of a step in which a call takes effect. */
export async function* readRun({
  box,
  player,
}: OpenedBox): AsyncGenerator<{ readonly step: Step; readonly line?: CallLine }> {
  const arrived = new Map<number, Call>()
  for (const step of box.steps) {
    if (step.kind === 'call') arrived.set(step.number, step.call)
    const takesEffect = 'effect' in step && step.effect !== undefined
    const played = takesEffect ? await player.step() : undefined
    const call = played && arrived.get(played.number)
    if (played === undefined || call === undefined) {
      yield { step }
      continue
    }
    arrived.delete(played.number)
    const { exchange, expected } = played
    const { sandbox = defaultSandbox, id } = expected
    const earlier = player.emulator.sandboxes.get(sandbox)?.journal.newestFirst() ?? []
    const sentences = exchange ? explain(exchange, earlier, text => text).sentences : []
    // The first sentence repeats the status. Events come before the decision.
    const decision = sentences.slice(1).find(sentence => !sentence.startsWith('Before it, ')) ?? ''
    const more = sentences.filter(one => /^Wrong |, which bans the key /.test(one) && one !== decision)
    const reason = [decision, ...more].join(' ')
    const place = id === undefined ? '-' : `${sandbox}:${id}`
    yield { step, line: { call, played, place, sentences, reason } }
  }
}

function describeInput(step: Step): string | undefined {
  if (step.kind === 'note') return step.text
  if (step.kind === 'adopt') return `--watch loaded ${step.scenario.name}`
  return step.kind === 'change' ? describeChange(step) : undefined
}

/** The most responses or differences that are listed. */
const mostListed = 20

export const play: Run<PlayValues> = async invocation => {
  const { words, values, io } = invocation
  const [path = ''] = words
  const opening = await openBox(path, values.openapi)
  if (!opening.ok) return refuseUsage(opening.complaints, io)
  const { from, set, rule, profile } = values
  if ([from, set, rule, profile].some(value => value !== undefined)) return whatIf(invocation, opening.value)
  const { box } = opening.value
  let open = 0
  const differences: string[] = []
  for await (const { line } of readRun(opening.value)) {
    if (line?.played.isSame === undefined) open += line === undefined ? 0 : 1
    else if (!line.played.isSame) differences.push(describeDifference(line))
  }
  const isOther = box.header.version !== version
  const listed = differences.slice(0, isOther ? mostListed : 1)
  const left = differences.length - listed.length
  const calls = box.end - box.header.from
  const same = calls === 0 ? 'nothing was compared.' : 'all responses are those of the run.'
  const lines = [
    `${formatCount(calls, 'call')}: ${differences.length === 0 ? same : `${groupDigits(differences.length)} with another response than in the run.`}`,
    ...(open === 0 ? [] : [`Not compared: ${formatCount(open, 'response')}, which the box cannot hold.`]),
    ...(isOther && differences.length > 0
      ? [`By version (the run: ${box.header.version}, here: ${version}):`]
      : []),
    ...listed,
    ...(isOther && left > 0 ? [`and ${groupDigits(left)} more`] : []),
  ]
  io.stdout.write(`${lines.map(printable).join('\n')}\n`)
  io.stderr.write(noEnd(path, box))
  return calls > 0 && differences.length === 0 ? exitCodes.fine : exitCodes.findings
}

function describeDifference({ call: { method, target }, played, place, reason }: CallLine): string {
  const { number, expected, reply } = played
  const was =
    expected.status === reply.status
      ? `the status is ${reply.status} as in the run, but headers or body differ`
      : `the run got ${expected.status}, and now it gets ${reply.status}`
  return `Call ${groupDigits(number)} (${place}), ${clip(`${method} ${target}`)}: ${was}. ${reason}`.trimEnd()
}

export const diff: RunOf<typeof readFlags> = async ({ words: [green = '', red = ''], values, io }) => {
  const openings = [await openBox(green, values.openapi), await openBox(red, values.openapi)] as const
  const [one, other] = openings
  if (!one.ok || !other.ok) return refuseUsage(complaintsOf(...openings), io)
  const runs = [await readWholeRun(one.value), await readWholeRun(other.value)] as const
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
async function whatIf(
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

export const shortenRun: RunOf<typeof shortenFlags> = async ({ words: [path = ''], values, io }) => {
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
