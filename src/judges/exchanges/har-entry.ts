import { isObject } from '../../base/json/is-object.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import type { Call, Connection, Reply } from '../../service/call/call.ts'
import { seenExchange, seenKey } from './seen-trace.ts'
import { asReplyHeaders, byName, type Fields, parseFields } from './texts.ts'

export const broken = 'an entry is broken'
export const undated = 'an entry has no valid date'
const outside = 'calls outside /v1'

/** Images and scripts of a page are long, and need not be parsed. */
const longText = 65_536

/**
 * Reads an entry, or says why it is left out. Its target begins with `/v1` instead of the path of `base`. `base`: only calls
 * below this base URL. `id`: its place in the archive.
 */
export function readHarEntry(
  text: string,
  base: string | undefined,
  { id, connectionOf }: { readonly id: number; readonly connectionOf: (name: string) => Connection },
) {
  if (base === undefined && text.length > longText && !text.includes('v1')) return outside
  const entry = parseFields(text)
  if (entry === undefined || !isObject(entry.request) || !isObject(entry.response)) return broken
  const { request, response } = entry
  const { method, url } = request
  if (typeof url !== 'string' || typeof method !== 'string') return broken
  const place = splitUrl(url, base)
  if (place === undefined) return outside
  const startedAt = startOf(entry)
  if (startedAt === undefined) return undated
  if (isFromCache(entry)) return "answered by the browser's cache"
  const time = typeof entry.time === 'number' && entry.time > 0 ? entry.time : 0
  const sentAt = startedAt + Math.min(time, waitOf(entry.timings))
  const headers = pairsOf(request.headers)
  const { body, cut } = requestBody(request)
  const connectionId = entry.connection ?? entry._connectionId
  // HTTP archive 1.2 has a number or a port; browsers write them as a text.
  const connection = typeof connectionId === 'number' ? `${connectionId}` : textOf(connectionId)
  const call: Call = {
    method,
    target: place.target,
    headers,
    body,
    scheme: /^https/i.test(url) ? 'https' : 'http',
    client: '',
    connection: connection === undefined ? undefined : connectionOf(connection),
    receivedAt: sentAt,
  }
  const reply: Reply = {
    status: typeof response.status === 'number' ? response.status : 0,
    headers: asReplyHeaders(pairsOf(response.headers)),
    body: answerBody(response),
  }
  const key = seenKey(byName(headers).authorization) ?? undefined
  const own = isObject(entry._petMock) ? entry._petMock : undefined
  const sandbox = textOf(own?.sandbox) ?? defaultSandbox
  const seen = { id, call, reply, answeredAt: startedAt + time, key }
  const exchange = seenExchange(seen, { sandbox, cut: { call: cut, reply: undefined } })
  return { base: place.base, isOwn: own !== undefined, exchange }
}

/** How long a call waited in the browser until it was sent, in milliseconds. -1 is none. */
function waitOf(timings: unknown): number {
  if (!isObject(timings)) return 0
  const parts = ['blocked', 'dns', 'connect'].map(name => timings[name])
  return parts.reduce<number>((sum, ms) => sum + (typeof ms === 'number' && ms > 0 ? ms : 0), 0)
}

/** Chromium names its cache. Firefox leaves `cache` empty, and writes `afterRequest: null` for an answer of its cache. */
function isFromCache({ _fromCache, cache }: Fields): boolean {
  if (_fromCache === true || textOf(_fromCache) !== undefined) return true
  return isObject(cache) && cache.afterRequest === null && !('beforeRequest' in cache)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** pet-mock writes the instant on its own clock, too. */
function startOf({ startedDateTime, _petMock }: Fields): number | undefined {
  const at = isObject(_petMock) && typeof _petMock.at === 'string' ? _petMock.at : startedDateTime
  const instant = typeof at === 'string' ? (parseInstant(at) ?? Date.parse(at)) : Number.NaN
  return Number.isFinite(instant) && instant >= 0 ? instant : undefined
}

const urls = /^(https?:\/\/)(?:[^/?#@]*@)?([^/?#]+)([^?#]*)(\?[^#]*)?/i

/** The base URL and the target below it, which begins with `/v1`. */
function splitUrl(text: string, base: string | undefined): { base: string; target: string } | undefined {
  const [, scheme = '', host = '', path = '', query = ''] = urls.exec(text) ?? []
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

/** Names and values in turn. */
function pairsOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap(header =>
    isObject(header) && typeof header.name === 'string' && typeof header.value === 'string'
      ? [header.name, header.value]
      : [],
  )
}

/** `cut`: the size of a body that was not kept as a whole. */
function requestBody({ postData, bodySize }: Fields): Pick<Call, 'body'> & { cut: number | undefined } {
  if (!isObject(postData) || typeof postData.text !== 'string') {
    const isCut = typeof bodySize === 'number' && bodySize > 0 && postData !== undefined
    return { body: undefined, cut: isCut ? bodySize : undefined }
  }
  const body = new TextEncoder().encode(postData.text)
  const isCut = postData.comment !== undefined && postData.comment !== ''
  return { body, cut: isCut ? Math.max(body.length, Number(bodySize) || 0) : undefined }
}

/** Undefined if it was not kept as a whole. */
function answerBody({ content }: Fields): string | undefined {
  if (!isObject(content) || typeof content.text !== 'string') return undefined
  if (content.encoding !== 'base64') return content.text
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(content.text), sign => sign.charCodeAt(0)))
  } catch {
    return undefined
  }
}
