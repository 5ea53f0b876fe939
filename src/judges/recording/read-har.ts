import { isObject } from '../../base/json/is-object.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { readTarget } from '../../service/call/target.ts'
import { operationAt } from '../../service/operations/routes.ts'
import { type Entries, harEntries, longestEntry } from './har-entries.ts'
import { type LeftOutList, mostCalls, type SeenCall } from './seen-call.ts'
import { seenKey } from './seen-credential.ts'

/** A call of an archive, with its whole URL. */
interface ArchivedCall {
  readonly base: string
  readonly call: SeenCall
}

export interface HarCalls {
  readonly calls: readonly SeenCall[]
  /** The base URL of the API whose calls these are; undefined if there are none. */
  readonly base: string | undefined
}

/**
 * Reads the calls of one API from an HTTP archive. `base`: its base URL, with the path; by default the one with the most
 * calls of known operations. Undefined if the text is no archive.
 */
export function readHar(text: string, base: string | undefined, leftOut: LeftOutList): HarCalls | undefined {
  const found: Entries = { isArchive: false, isWhole: false }
  const archived: ArchivedCall[] = []
  for (const entry of harEntries(text, found)) {
    const call = entry.text === undefined ? tooLong : readUsable(entry.text, base)
    if (typeof call === 'string') leftOut.add(call)
    else if (archived.length >= mostCalls) leftOut.add(`calls beyond the first ${mostCalls}`)
    else archived.push(call)
  }
  if (!found.isArchive) return undefined
  if (!found.isWhole) leftOut.add('the archive is cut off in the middle of an entry')
  const chosen = base ?? likelyBase(archived)
  for (const call of archived)
    if (call.base !== chosen) leftOut.add('calls of other addresses', hostOf(call.base))
  // Browsers leave all keys out, other programs none.
  const hasKeys = archived.some(({ call }) => typeof call.key === 'string')
  const calls = archived
    .filter(call => call.base === chosen)
    .map(({ call }) => (hasKeys ? { ...call, key: call.key ?? null } : call))
  return { calls, base: chosen }
}

const tooLong = `an entry is larger than ${longestEntry / 2 ** 20} MiB`
const broken = 'an entry is broken'
const outside = 'calls outside /v1'

/** Images and scripts of a page are long, and need not be parsed. */
const longText = 65_536

function readUsable(text: string, base: string | undefined): ArchivedCall | string {
  return base === undefined && text.length > longText && !text.includes('v1')
    ? outside
    : readEntry(text, base)
}

/** The call, or why it is left out. */
function readEntry(text: string, base: string | undefined): ArchivedCall | string {
  let entry: unknown
  try {
    entry = JSON.parse(text)
  } catch {
    return broken
  }
  if (!isObject(entry) || !isObject(entry.request) || !isObject(entry.response)) return broken
  const { request, response } = entry
  const { method } = request
  const sentAt = sentAtOf(entry)
  if (typeof request.url !== 'string' || typeof method !== 'string' || sentAt === undefined) return broken
  const place = splitUrl(request.url, base)
  if (place === undefined) return outside
  if (typeof response.status !== 'number' || response.status === 0) return 'there is no complete answer'
  const headers = headersOf(request.headers)
  const key = seenKey(headers.authorization)
  const { body, isCut } = requestBody(request)
  if (isCut) return 'the body of the call was not kept'
  const time = typeof entry.time === 'number' && entry.time > 0 ? entry.time : 0
  return {
    base: place.base,
    call: {
      sentAt,
      answeredAt: sentAt + time,
      method,
      target: place.target,
      key: key === null && !isObject(entry._petMock) ? undefined : key,
      headers,
      body,
      answer: { status: response.status, headers: headersOf(response.headers), body: answerBody(response) },
    },
  }
}

/** pet-mock writes the instant on its own clock, too. */
function sentAtOf({ startedDateTime, _petMock }: Readonly<Record<string, unknown>>): number | undefined {
  const at = isObject(_petMock) && typeof _petMock.at === 'string' ? _petMock.at : startedDateTime
  const instant = typeof at === 'string' ? (parseInstant(at) ?? Date.parse(at)) : Number.NaN
  return Number.isFinite(instant) && instant >= 0 ? instant : undefined
}

const url = /^(https?:\/\/)(?:[^/?#@]*@)?([^/?#]+)([^?#]*)(\?[^#]*)?/i

/** The base URL and the target below it, which begins with `/v1`. */
function splitUrl(text: string, base: string | undefined): { base: string; target: string } | undefined {
  const [, scheme = '', host = '', path = '', query = ''] = url.exec(text) ?? []
  const origin = `${scheme}${host}`.toLowerCase()
  if (base !== undefined) {
    const whole = origin + path
    const isBelow = whole === base || whole.startsWith(`${base}/`)
    return isBelow ? { base, target: `/v1${whole.slice(base.length)}${query}` } : undefined
  }
  const [above] = /^(?:\/[^?#]*?)?\/v1(?=\/|$)/.exec(path) ?? []
  return above === undefined
    ? undefined
    : { base: origin + above, target: `/v1${path.slice(above.length)}${query}` }
}

function likelyBase(archived: readonly ArchivedCall[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { base, call } of archived) {
    const isKnown = operationAt(readTarget(call.target).path, call.method) !== undefined
    counts.set(base, (counts.get(base) ?? 0) + (isKnown ? 1 : 0))
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0]
}

function hostOf(base: string): string {
  return base.split('/')[2] ?? base
}

/** By lower-case name. HTTP/2 has names that begin with a colon. */
function headersOf(list: unknown): Readonly<Record<string, string>> {
  const named: Record<string, string> = Object.create(null)
  if (!Array.isArray(list)) return named
  for (const header of list) {
    if (!isObject(header) || typeof header.name !== 'string' || typeof header.value !== 'string') continue
    named[header.name.toLowerCase()] = header.value
  }
  return named
}

function requestBody({ postData, bodySize }: Readonly<Record<string, unknown>>) {
  if (!isObject(postData) || typeof postData.text !== 'string')
    return { body: undefined, isCut: typeof bodySize === 'number' && bodySize > 0 && postData !== undefined }
  return { body: postData.text, isCut: postData.comment !== undefined && postData.comment !== '' }
}

/** Undefined if it was not kept as a whole. */
function answerBody({ content }: Readonly<Record<string, unknown>>): string | undefined {
  if (!isObject(content) || typeof content.text !== 'string') return undefined
  return content.encoding === 'base64' ? decodeBase64(content.text) : content.text
}

function decodeBase64(text: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), sign => sign.charCodeAt(0)))
  } catch {
    return undefined
  }
}
