import { headerValue, type repeated } from '../../service/call/headers.ts'
import { type Preferences, readPreferences } from '../../service/call/prefer.ts'
import { type Credential, readCredential } from '../../service/keys/credential.ts'
import { sizeOfHeaders } from '../journal/kept-headers.ts'
import type { PageAccess, ReadPageAccess } from '../replies/cors.ts'
import { type Forwarded, readForwarded } from './forwarded.ts'

/** What the headers of a call say about its client. */
export interface Caller {
  readonly headers: readonly string[]
  /** An estimate of their bytes. */
  readonly headerBytes: number
  readonly host: string | typeof repeated | undefined
  readonly credential: Credential
  /** The CORS headers of its replies (A19). */
  readonly corsHeaders: PageAccess['headers'] | undefined
  /** Why its page may not read replies. */
  readonly corsRefusal: PageAccess['refusal']
  readonly preferences: Preferences | undefined
  /** Undefined unless the server trusts its proxy. */
  readonly forwarded: Forwarded | undefined
}

/** Enough for a few clients in turn, or for one that reads and creates. */
const mostKnown = 4

/**
 * Reads the headers of calls, and caches the last few. A client sends the same ones with every call; the journal then
 * keeps one list of them instead of a thousand.
 */
export function createCallerReader(
  readAccess: ReadPageAccess,
  trustProxy: boolean,
): (headers: readonly string[]) => Caller {
  const known: Caller[] = []
  let oldest = 0
  return headers => {
    for (const caller of known) {
      if (isSame(caller.headers, headers)) return caller
    }
    const forwarded = trustProxy ? readForwarded(headers) : undefined
    const access = readAccess(headers, forwarded?.host)
    const caller: Caller = {
      headers,
      headerBytes: sizeOfHeaders(headers),
      host: headerValue(headers, 'host'),
      credential: readCredential(headers),
      corsHeaders: access.headers,
      corsRefusal: access.refusal,
      preferences: readPreferences(headers),
      forwarded,
    }
    known[oldest] = caller
    oldest = (oldest + 1) % mostKnown
    return caller
  }
}

/** The caller without its key and page: its Host is not allowed (A22). */
export function stranger(known: Caller): Caller {
  const nobody = { credential: { kind: 'none' }, preferences: undefined } as const
  return { ...known, ...nobody, corsHeaders: undefined, corsRefusal: undefined }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index += 1) {
    if (one[index] !== other[index]) return false
  }
  return true
}
