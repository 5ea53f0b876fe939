import type { Answer } from '../../service/call/answer.ts'
import type { Call } from '../../service/call/call.ts'
import type { Forwarded } from './forwarded.ts'

/** Where clients find the API. */
export interface ApiAddress {
  /** The URL that stands for `/v1`, with the host that the call named. Without a host it is a path. */
  readonly base: string
  /** What replaces `/v1` at the start of `Location`; undefined for nothing. */
  readonly moved: string | undefined
}

/**
 * Reads the address of the API from a call. `baseUrl`: that of all calls. `host`: undefined if the call names none. Caches the
 * last one: clients send the same host with every call.
 */
export function createAddressReader(baseUrl: string | undefined) {
  let last:
    | { readonly scheme: string; readonly host: string | undefined; readonly address: ApiAddress }
    | undefined
  return (scheme: Call['scheme'], host: string | undefined, forwarded: Forwarded | undefined): ApiAddress => {
    if (forwarded !== undefined) return readAddress(baseUrl, scheme, host, forwarded)
    if (last !== undefined && last.host === host && last.scheme === scheme) return last.address
    last = { scheme, host, address: readAddress(baseUrl, scheme, host, undefined) }
    return last.address
  }
}

function readAddress(
  baseUrl: string | undefined,
  scheme: Call['scheme'],
  host: string | undefined,
  forwarded: Forwarded | undefined,
): ApiAddress {
  if (baseUrl !== undefined) return { base: baseUrl, moved: baseUrl }
  if (forwarded === undefined)
    return { base: host === undefined ? '/v1' : `${scheme}://${host}/v1`, moved: undefined }
  const { prefix } = forwarded
  const seen = typeof forwarded.host === 'string' ? forwarded.host : host
  const origin = seen === undefined ? '' : `${forwarded.scheme ?? scheme}://${seen}`
  const base = `${origin}${prefix}/v1`
  return { base, moved: prefix === '' ? undefined : base }
}

/** Moves the `Location` of an answer to the address that clients use. */
export function moveLocation(answer: Answer, moved: string | undefined): Answer {
  const location = answer.headers?.Location
  if (moved === undefined || location === undefined || !/^\/v1(?:[/?#]|$)/.test(location)) return answer
  return { ...answer, headers: { ...answer.headers, Location: moved + location.slice('/v1'.length) } }
}
