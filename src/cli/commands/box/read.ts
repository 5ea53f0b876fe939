import { formatCount, groupDigits } from '../../../base/text/quantities.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import { version } from '../../../doors/server/version.ts'
import { defaultSandbox } from '../../../emulator/worlds/sandboxes.ts'
import type { PlayedCall } from '../../../judges/box/play-box.ts'
import type { Box, Step } from '../../../judges/box/read-box.ts'
import { describeChange } from '../../../judges/box/runs/diff.ts'
import { explain } from '../../../judges/inspection/explain.ts'
import { showRow } from '../../../judges/inspection/view.ts'
import type { Call } from '../../../service/call/call.ts'
import { clip } from '../../../service/call/echo.ts'
import { type Run, refuseUsage } from '../../arguments/command.ts'
import { type OpenedBox, openBox } from '../../box/open-box.ts'
import { styleOf } from '../../log/request-lines.ts'
import { exitCodes } from '../../terminal/io.ts'
import { createPaint, jsonLine, printable } from '../../terminal/text.ts'
import type { PlayValues, ShowValues } from './flags.ts'

/* The commands that read a box, and start no server. */

export const show: Run<ShowValues> = async ({ words: [path = ''], values, io }) => {
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
    const wrong = sentences.filter(sentence => sentence.startsWith('Wrong ') && sentence !== decision)
    const reason = [decision, ...wrong].join(' ')
    const place = id === undefined ? '-' : `${sandbox}:${id}`
    yield { step, line: { call, played, place, sentences, reason } }
  }
}

function describeInput(step: Step): string | undefined {
  if (step.kind === 'note') return step.text
  if (step.kind === 'adopt') return `--watch loaded ${step.scenario.name}`
  return step.kind === 'change' ? describeChange(step) : undefined
}

/** The most responses that are listed. */
const mostListed = 20

export const play: Run<PlayValues> = async invocation => {
  const { words, values, io } = invocation
  const [path = ''] = words
  const opening = await openBox(path, values.openapi)
  if (!opening.ok) return refuseUsage(opening.complaints, io)
  const { from, set, rule, profile } = values
  if ([from, set, rule, profile].some(value => value !== undefined))
    return (await import('./runs.ts')).whatIf(invocation, opening.value)
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
