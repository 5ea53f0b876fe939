import { isObject } from '../../base/json/is-object.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { nextLink } from '../../service/call/link.ts'
import { readTarget } from '../../service/call/target.ts'
import { hashOf } from '../conduct/observed-call.ts'
import { type Entries, harEntries, longestEntry } from '../recording/har-entries.ts'
import type { LeftOutList } from '../recording/seen-call.ts'
import type { Recording, WantedCall } from './wanted-call.ts'

type Fields = Readonly<Record<string, unknown>>

/** Reads what `GET /__admin/requests` returns. Undefined if the bytes are something else. */
export function readJournal(bytes: Uint8Array, leftOut: LeftOutList): Recording | undefined {
  const found: Entries = { isArchive: false, isWhole: false }
  const calls: WantedCall[] = []
  for (const entry of harEntries(bytes, found, ['requests'])) {
    const fields = entry.text === undefined ? undefined : parseFields(entry.text)
    if (entry.text === undefined) leftOut.add(`an entry is larger than ${longestEntry / 2 ** 20} MiB`)
    else addCall(fields, calls, leftOut)
  }
  if (!found.isArchive) return undefined
  if (!found.isWhole) leftOut.add('the journal is cut off in the middle of an entry')
  // The journal has the newest call first.
  return { kind: 'journal', calls: calls.reverse(), base: undefined, notes: [] }
}

/** The fields of an object in JSON; undefined for anything else. */
export function parseFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Adds a call of pet-mock's journal or log. */
export function addCall(fields: Fields | undefined, calls: WantedCall[], leftOut: LeftOutList): void {
  const call = fields && readCall(fields)
  if (call === undefined) leftOut.add('an entry is broken')
  else if (typeof call === 'string') leftOut.add(call)
  else calls.push(call)
}

/** Refused before the API, or outside it: such a call uses no quota. */
const uncountedCodes = ['host_not_allowed', 'missing_api_key', 'invalid_api_key']

function readCall(fields: Fields): WantedCall | string | undefined {
  const { method, target, status, code, key, sandbox } = fields
  if (typeof method !== 'string' || typeof target !== 'string' || typeof status !== 'number') return undefined
  const at = typeof fields.at === 'string' ? parseInstant(fields.at) : undefined
  if (at === undefined || at < 0) return 'an entry has no valid date'
  if (typeof code === 'string' && uncountedCodes.includes(code))
    return code === 'host_not_allowed'
      ? 'calls of other addresses'
      : 'calls without a valid key, which use no quota'
  const body = isObject(fields.request) ? fields.request.body : undefined
  return {
    at,
    answeredAt: at,
    method,
    target: withoutHost(target),
    body: typeof body === 'string' ? hashOf(body) : 0,
    key: typeof key === 'string' ? key : undefined,
    connection: undefined,
    sandbox: typeof sandbox === 'string' ? sandbox : undefined,
    status,
    wasRefused: status === 429 || code === 'api_key_banned',
    next: nextLinkOf(fields.response),
  }
}

/** A target in absolute form names a host that the replay does not have. */
function withoutHost(target: string): string {
  const { path, query } = readTarget(target)
  return query === '' ? path : `${path}?${query}`
}

function nextLinkOf(response: unknown): string | undefined {
  const headers = isObject(response) ? response.headers : undefined
  const link = isObject(headers) ? headers.link : undefined
  return typeof link === 'string' ? nextLink(link) : undefined
}
