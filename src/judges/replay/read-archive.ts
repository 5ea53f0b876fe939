import { nextLink } from '../../service/call/link.ts'
import { hashOf } from '../conduct/observed-call.ts'
import { type ArchivedCall, archivedCalls } from '../recording/archived-call.ts'
import { type Entries, harEntries } from '../recording/har-entries.ts'
import { chooseBase } from '../recording/read-har.ts'
import type { LeftOutList } from '../recording/seen-call.ts'
import type { Recording, WantedCall } from './wanted-call.ts'

/** Reads an HTTP archive. Undefined if the bytes are none. */
export function readArchive(
  bytes: Uint8Array,
  base: string | undefined,
  leftOut: LeftOutList,
): Recording | undefined {
  const found: Entries = { isArchive: false, isWhole: false }
  const archived: { readonly base: string; readonly call: WantedCall }[] = []
  for (const entry of archivedCalls(harEntries(bytes, found), base, leftOut)) {
    if (entry.isFromCache) leftOut.add("answered by the browser's cache")
    else archived.push({ base: entry.base, call: wantedOf(entry) })
  }
  if (!found.isArchive) return undefined
  if (!found.isWhole) leftOut.add('the archive is cut off in the middle of an entry')
  const { chosen, ofBase } = chooseBase(archived, base, leftOut, ({ call }) => call)
  return { kind: 'archive', calls: ofBase.map(({ call }) => call), base: chosen, notes: [] }
}

function wantedOf({ call, connection, sandbox }: ArchivedCall): WantedCall {
  const { sentAt, answeredAt, method, target, key, body, answer } = call
  const { status, headers } = answer
  return {
    at: Math.floor(sentAt),
    answeredAt: Math.floor(answeredAt),
    method,
    target,
    body: body === undefined ? 0 : hashOf(body),
    key,
    connection,
    sandbox,
    status,
    // A banned key may get 401 or 403 (A10).
    wasRefused:
      status === 429 ||
      (status >= 401 && status <= 403 && answer.body?.includes('"api_key_banned"') === true),
    next: nextLink(headers.link),
  }
}
