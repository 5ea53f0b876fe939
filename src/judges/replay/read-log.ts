import { formatCount } from '../../base/text/quantities.ts'
import { longestEntry, startOf } from '../recording/har-entries.ts'
import type { LeftOutList } from '../recording/seen-call.ts'
import { addCall, parseFields } from './read-journal.ts'
import type { Recording, WantedCall } from './wanted-call.ts'

/** Reads the lines of `--log-format json`. Undefined if no line is of such a log. */
export function readLog(bytes: Uint8Array, leftOut: LeftOutList): Recording | undefined {
  const calls: WantedCall[] = []
  const strange = { count: 0 }
  let starts = 0
  let dropped = 0
  let known = 0
  for (const line of linesOf(bytes)) {
    const fields = line.length > longestEntry ? undefined : parseFields(line)
    const event = fields?.event
    if (typeof event === 'string') known += 1
    if (event === 'call') addCall(fields, calls, leftOut)
    else if (event === 'ready') starts += 1
    else if (event === 'refused') leftOut.add('requests that the server refused before they were calls')
    else if (event === 'dropped') dropped += typeof fields?.calls === 'number' ? fields.calls : 0
    else if (event === undefined && line.trim() !== '') strange.count += 1
  }
  if (known === 0) return undefined
  if (strange.count > 0) leftOut.add('lines that are not of the log', undefined, strange.count)
  if (dropped > 0) leftOut.add('lines that the log dropped, because its reader was slow', undefined, dropped)
  const notes =
    starts > 1
      ? [
          `The log is of ${formatCount(starts, 'run')} of a server. Calls of all runs are replayed by their time.`,
        ]
      : []
  return { kind: 'log', calls, base: undefined, notes }
}

/** One line after the other, since a list of all would take twice the memory. */
function* linesOf(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder()
  for (let from = startOf(bytes); from < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, from)
    const to = end === -1 ? bytes.length : end
    yield decoder.decode(bytes.subarray(from, to))
    from = to + 1
  }
}

const lineFeed = 0x0a
