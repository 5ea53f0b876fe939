import { isObject } from '../../base/json/is-object.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { type EntryText, longestEntry } from './har-entries.ts'
import type { LeftOutList, SeenCall } from './seen-call.ts'
import { seenKey } from './seen-credential.ts'

/** A call of an archive, with its whole URL, and what the entry says besides. */
export interface ArchivedCall {
  readonly base: string
  readonly call: SeenCall
  readonly isAnswered: boolean
  /** Only the start of the call's body was kept. */
  readonly isCut: boolean
  /** Answered by the browser's own cache: the service did not get it. */
  readonly isFromCache: boolean
  readonly connection: string | undefined
  readonly sandbox: string | undefined
}

const tooLong = `an entry is larger than ${longestEntry / 2 ** 20} MiB`
const broken = 'an entry is broken'
const undated = 'an entry has no valid date'
const outside = 'calls outside /v1'

/** Images and scripts of a page are long, and need not be parsed. */
const longText = 65_536

/** Reads the entries that are calls of an API, one after the other. `base`: only below this base URL. */
export function* archivedCalls(
  entries: Iterable<EntryText>,
  base: string | undefined,
  leftOut: LeftOutList,
): Generator<ArchivedCall> {
  for (const entry of entries) {
    const call = entry.text === undefined ? tooLong : readUsable(entry.text, base)
    if (typeof call === 'string') leftOut.add(call)
    else yield call
  }
}

function readUsable(text: string, base: string | undefined): ArchivedCall | string {
  return base === undefined && text.length > longText && !text.includes('v1')
    ? outside
    : readEntry(text, base)
}

/** The call, or why it is left out. */
function readEntry(text: string, base: string | undefined): ArchivedCall | string {
  const entry = parseObject(text)
  if (entry === undefined || !isObject(entry.request) || !isObject(entry.response)) return broken
  const { request, response } = entry
  const { method } = request
  if (typeof request.url !== 'string' || typeof method !== 'string') return broken
  const place = splitUrl(request.url, base)
  if (place === undefined) return outside
  const sentAt = sentAtOf(entry)
  if (sentAt === undefined) return undated
  const headers = headersOf(request.headers)
  const key = seenKey(headers.authorization)
  const { body, isCut } = requestBody(request)
  const time = typeof entry.time === 'number' && entry.time > 0 ? entry.time : 0
  const status = typeof response.status === 'number' ? response.status : 0
  const isOwn = isObject(entry._petMock)
  return {
    base: place.base,
    isAnswered: status !== 0,
    isCut,
    isFromCache: isFromCache(entry),
    connection: connectionOf(entry),
    sandbox: isObject(entry._petMock) ? textOf(entry._petMock.sandbox) : undefined,
    call: {
      sentAt,
      answeredAt: sentAt + time,
      method,
      target: place.target,
      key: key === null && !isOwn ? undefined : key,
      headers,
      body,
      answer: { status, headers: headersOf(response.headers), body: answerBody(response) },
    },
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** HTTP archive 1.2 has a number or a port; browsers write them as a text. */
function connectionOf({ connection, _connectionId }: Readonly<Record<string, unknown>>): string | undefined {
  const id = connection ?? _connectionId
  return typeof id === 'number' ? `${id}` : textOf(id)
}

/** Chromium names its cache. Firefox leaves `cache` empty, and writes `afterRequest: null` for an answer of its cache. */
function isFromCache({ _fromCache, cache }: Readonly<Record<string, unknown>>): boolean {
  if (_fromCache === true || textOf(_fromCache) !== undefined) return true
  return isObject(cache) && cache.afterRequest === null && !('beforeRequest' in cache)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
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
