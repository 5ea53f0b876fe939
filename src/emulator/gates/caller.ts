import { headerValue, type repeated } from '../../service/call/headers.ts'
import { type Preferences, readPreferences } from '../../service/call/prefer.ts'
import { type Credential, readCredential } from '../../service/keys/credential.ts'
import { sizeOfHeaders } from '../journal/kept-headers.ts'
import type { PageAccess, ReadPageAccess } from '../replies/cors.ts'
import { type SandboxKey, splitKey } from '../worlds/sandbox-key.ts'
import { type Forwarded, readForwarded } from './forwarded.ts'

export interface Caller {
  readonly headers: readonly string[]
  /** An estimate of their bytes. */
  readonly headerBytes: number
  readonly host: string | typeof repeated | undefined
  readonly credential: Credential
  readonly key: SandboxKey | undefined
  /** The CORS headers of its replies (A19). */
  readonly corsHeaders: PageAccess['headers'] | undefined
  /** Why its page may not read replies. */
  readonly corsRefusal: PageAccess['refusal']
  readonly preferences: Preferences | undefined
  /** Undefined unless the server trusts its proxy. */
  readonly forwarded: Forwarded | undefined
}

/** Clients whose headers are cached, by their key. */
const mostClients = 1_024
/** A client that reads and creates sends several sets of headers in turn. */
const mostOfClient = 4
/** In bytes. Larger headers are read each time, so that the cache has a bound: 16 MB. */
const largest = 4_096

/**
 * Reads the headers of calls, and caches them. A client sends the same ones with every call; the journal then keeps one
 * list of them instead of a thousand.
 */
export function createCallerReader(
  readAccess: ReadPageAccess,
  trustProxy: boolean,
): (headers: readonly string[]) => Caller {
  const clients = new Map<string, Caller[]>()
  let last: Caller | undefined
  return headers => {
    if (last !== undefined && isSame(last.headers, headers)) return last
    const authorization = headerValue(headers, 'authorization')
    const client = typeof authorization === 'string' ? authorization : ''
    const known = clients.get(client)
    last = findSame(known, headers)
    if (last !== undefined) return last
    last = readCaller(headers, readAccess, trustProxy)
    if (last.headerBytes <= largest) remember(clients, client, last)
    return last
  }
}

function findSame(callers: readonly Caller[] = [], headers: readonly string[]): Caller | undefined {
  for (const caller of callers) if (isSame(caller.headers, headers)) return caller
  return undefined
}

function remember(clients: Map<string, Caller[]>, client: string, caller: Caller): void {
  const known = clients.get(client)
  if (known !== undefined) {
    if (known.length === mostOfClient) known.shift()
    known.push(caller)
    return
  }
  if (clients.size === mostClients) {
    const [first = ''] = clients.keys()
    clients.delete(first)
  }
  clients.set(client, [caller])
}

function readCaller(headers: readonly string[], readAccess: ReadPageAccess, trustProxy: boolean): Caller {
  const forwarded = trustProxy ? readForwarded(headers) : undefined
  const access = readAccess(headers, forwarded?.host)
  const credential = readCredential(headers)
  return {
    headers,
    headerBytes: sizeOfHeaders(headers),
    host: headerValue(headers, 'host'),
    credential,
    key: splitKey(credential),
    corsHeaders: access.headers,
    corsRefusal: access.refusal,
    preferences: readPreferences(headers),
    forwarded,
  }
}

/** The caller without its key and page: its Host is not allowed (A22). */
export function stranger(known: Caller): Caller {
  const nobody = { credential: { kind: 'none' }, key: undefined, preferences: undefined } as const
  return { ...known, ...nobody, corsHeaders: undefined, corsRefusal: undefined }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index += 1) {
    if (one[index] !== other[index]) return false
  }
  return true
}
