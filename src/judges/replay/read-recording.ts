import { formatCount, groupDigits } from '../../base/text/quantities.ts'
import { lastClockInstant } from '../../base/time/clock.ts'
import { readTarget } from '../../service/call/target.ts'
import { isUnderApi, operationAt } from '../../service/operations/routes.ts'
import type { LeftOutList } from '../recording/seen-call.ts'
import { readArchive } from './read-archive.ts'
import { readJournal } from './read-journal.ts'
import { readLog } from './read-log.ts'
import { mostWanted, type Recording, type WantedCall } from './wanted-call.ts'

/**
 * Reads the calls of an HTTP archive, of pet-mock's journal as JSON, or of its log as JSON, in UTF-8. `base`: the base URL of the API in
 * an archive. Everything that is not replayed is counted in `leftOut`. Undefined if the bytes are none of these.
 */
export function readRecording(
  bytes: Uint8Array,
  base: string | undefined,
  leftOut: LeftOutList,
): Recording | undefined {
  const raw = readArchive(bytes, base, leftOut) ?? readJournal(bytes, leftOut) ?? readLog(bytes, leftOut)
  if (raw === undefined) return undefined
  const counted = raw.calls.filter(call => {
    const reason = whyNotCounted(call)
    if (reason !== undefined) leftOut.add(reason, `${call.method} ${readTarget(call.target).path}`)
    return reason === undefined
  })
  if (counted.length > mostWanted)
    leftOut.add(`calls beyond the first ${groupDigits(mostWanted)}`, undefined, counted.length - mostWanted)
  const kept = counted.length > mostWanted ? counted.slice(0, mostWanted) : counted
  const calls = kept.toSorted((one, other) => one.at - other.at)
  return { ...raw, calls, notes: [...raw.notes, ...notesOf(kept)] }
}

/** Why a call uses no quota (A02, A03); undefined if it does. */
function whyNotCounted({ at, method, target, status, wasRefused }: WantedCall): string | undefined {
  if (method === 'OPTIONS') return 'OPTIONS, which uses no quota'
  if (!isUnderApi(readTarget(target).path)) return 'calls outside /v1'
  if (status === 401 && !wasRefused) return 'calls without a valid key, which use no quota'
  if (at > lastClockInstant) return 'an entry has no valid date'
  return undefined
}

function notesOf(calls: readonly WantedCall[]): readonly string[] {
  const late = calls.filter(({ at }, index) => at < (calls[index - 1]?.at ?? at)).length
  const unknown = calls.filter(
    ({ method, target }) => operationAt(readTarget(target).path, method) === undefined,
  ).length
  const unanswered = calls.filter(({ status }) => status === 0).length
  return [
    ...(late === 0
      ? []
      : [`Out of order: ${formatCount(late, 'call')}. The replay sorts all calls by time.`]),
    ...(unknown === 0
      ? []
      : [`Of unknown operations: ${formatCount(unknown, 'call')}. They use quota as others do (A03).`]),
    ...(unanswered === 0
      ? []
      : [`Without an answer: ${formatCount(unanswered, 'call')}. The replay makes them, too.`]),
  ]
}
