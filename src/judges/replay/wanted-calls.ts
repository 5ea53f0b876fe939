import { hashOf } from '../../base/hash.ts'
import { formatCount, groupDigits } from '../../base/text/quantities.ts'
import { lastClockInstant } from '../../base/time/clock.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import { replyHeader } from '../../service/call/headers.ts'
import { nextLink } from '../../service/call/link.ts'
import { readTarget } from '../../service/call/target.ts'
import { isUnderApi, operationAt } from '../../service/operations/routes.ts'
import type { LeftOutList } from '../exchanges/left-out.ts'
import { type Recording, readRecording } from '../exchanges/read-recording.ts'

/** What a replay holds of an exchange: no texts, since a recording may have half a million. */
export type WantedCall = Readonly<ReturnType<typeof wantedCall>>

export function wantedCall({ sandbox, at, answeredAt = at, call, reply, trace }: Exchange) {
  const { status } = reply
  return {
    /** When it was sent and answered, in whole milliseconds since the epoch. */
    at: Math.floor(at),
    answeredAt: Math.floor(answeredAt),
    method: call.method,
    target: call.target,
    /** A hash of its body, to find calls that are repeated. */
    body: call.body === undefined ? 0 : hashOf(call.body),
    /** Masked or not, as the recording has it. */
    key: trace.key,
    connection: call.connection?.name,
    sandbox,
    /** That of the recorded answer; 0: there is none. */
    status,
    /** A limit or a ban refused it when it was recorded. A banned key may get 401 or 403 (A10). */
    wasRefused: status === 429 || (status >= 401 && status <= 403 && trace.code === 'api_key_banned'),
    /** The link to the next page in the recorded answer. */
    next: nextLink(replyHeader(reply, 'link')),
  }
}

/** Calls of one recording: a day of the largest shipped plan. */
const mostWanted = 500_000

/** The calls of a recording that use quota, in the order of time. `base`: the base URL of the API in an archive. */
export function readWantedCalls(
  bytes: Uint8Array,
  base: string | undefined,
  leftOut: LeftOutList,
): Recording<WantedCall> | undefined {
  const recording = readRecording(bytes, { base, leftOut, keep: wantedCall })
  if (recording === undefined) return undefined
  const counted = recording.calls.filter(call => {
    const reason = whyNotCounted(call)
    if (reason !== undefined) leftOut.add(reason, `${call.method} ${readTarget(call.target).path}`)
    return reason === undefined
  })
  if (counted.length > mostWanted)
    leftOut.add(`calls beyond the first ${groupDigits(mostWanted)}`, undefined, counted.length - mostWanted)
  const kept = counted.slice(0, mostWanted)
  const calls = kept.toSorted((one, other) => one.at - other.at)
  return { ...recording, calls, notes: [...recording.notes, ...notesOf(kept)] }
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
  const note = (count: number, text: (calls: string) => string) =>
    count === 0 ? [] : [text(formatCount(count, 'call'))]
  return [
    ...note(late, counted => `Out of order: ${counted}. The replay sorts all calls by time.`),
    ...note(unknown, counted => `Of unknown operations: ${counted}. They use quota as others do (A03).`),
    ...note(unanswered, counted => `Without an answer: ${counted}. The replay makes them, too.`),
  ]
}

/** Leaves out calls that repeat one after its refusal arrived: a client that is never refused makes none. */
export function dropRepeats(calls: readonly WantedCall[]): readonly WantedCall[] {
  if (!calls.some(({ wasRefused }) => wasRefused)) return calls
  /** When the refusals of each call arrived that no call has repeated so far. */
  const open = new Map<string, number[]>()
  return calls.filter(call => {
    const name = `${call.method} ${call.target} ${call.body}`
    const refusals = open.get(name) ?? []
    const [first] = refusals
    const repeats = first !== undefined && first < call.at
    if (repeats) refusals.shift()
    if (call.wasRefused) {
      refusals.push(call.answeredAt)
      open.set(name, refusals)
    }
    return !repeats
  })
}

/** The calls of one caller, in the order of time. */
export interface CallerCalls {
  /** Its key, connection and sandbox as the recording has them; undefined: all calls. */
  readonly name: string | undefined
  readonly calls: readonly WantedCall[]
}

/** Each caller has an emulator of its own. */
const mostCallers = 1_000

/** Groups calls by their caller. A text says why that cannot be. */
export function groupByCaller(calls: readonly WantedCall[], by: CallerBy): readonly CallerCalls[] | string {
  if (by === 'all') return [{ name: undefined, calls }]
  const missing = by === 'key' ? 'API keys: browsers leave them out' : 'connections'
  if (calls.every(call => !call[by])) return `the recording has no ${missing}`
  const groups = new Map<string, WantedCall[]>()
  for (const call of calls) {
    const name = nameOf(call, by)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [call])
    else group.push(call)
    if (groups.size > mostCallers) return `the recording has more than ${mostCallers} callers`
  }
  return Array.from(groups, ([name, own]) => ({ name, calls: own }))
}

function nameOf(call: WantedCall, by: 'key' | 'connection'): string {
  const { sandbox } = call
  const name = call[by] ?? `without a ${by}`
  // The archive and the journal show the sandbox with the key.
  const isNamed = sandbox === defaultSandbox || name.endsWith(`+${sandbox}`)
  return isNamed ? name : `${name}+${sandbox}`
}

export const callerWays = ['all', 'key', 'connection'] as const

/** What the calls of one caller have in common. Each caller has a quota of its own. */
export type CallerBy = (typeof callerWays)[number]
