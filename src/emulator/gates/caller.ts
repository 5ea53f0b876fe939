import { BoundedMap } from '../../base/bounded-map.ts'
import { isLoopback } from '../../base/text/loopback.ts'
import { headerValue, linesOf, repeated } from '../../service/call/headers.ts'
import { type Preferences, readPreferences } from '../../service/call/prefer.ts'
import { type Credential, readCredential } from '../../service/keys/credential.ts'
import { sizeOfHeaders } from '../journal/recorded-call.ts'
import type { PageAccess, ReadPageAccess } from '../replies/cors.ts'
import { type SandboxKey, splitKey } from '../worlds/sandboxes.ts'

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
export function createCallerReader(readAccess: ReadPageAccess, trustProxy: boolean) {
  const clients = new BoundedMap<string, Caller[]>(mostClients)
  let last: Caller | undefined
  return (headers: readonly string[]): Caller => {
    if (last !== undefined && isSame(last.headers, headers)) return last
    const authorization = headerValue(headers, 'authorization')
    const client = typeof authorization === 'string' ? authorization : ''
    const known = clients.get(client)
    last = known?.find(caller => isSame(caller.headers, headers))
    if (last !== undefined) return last
    last = readCaller(headers, readAccess, trustProxy)
    if (last.headerBytes <= largest) remember(clients, client, last)
    return last
  }
}

function remember(clients: Map<string, Caller[]>, client: string, caller: Caller): void {
  const known = clients.get(client)
  if (known === undefined) clients.set(client, [caller])
  else {
    if (known.length === mostOfClient) known.shift()
    known.push(caller)
  }
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

/** What a trusted proxy says about a call that it passes on. Everything here is as unchecked as a header. */
export interface Forwarded {
  readonly scheme: 'http' | 'https' | undefined
  /** With its port. `repeated` if it is no host. */
  readonly host: string | typeof repeated | undefined
  /** All hosts that the headers name. A client may have sent the first ones. */
  readonly hosts: readonly (string | typeof repeated)[]
  /** The path that the proxy removed: empty, or as in `/api`. */
  readonly prefix: string
  readonly client: string | undefined
  /** Whether no proxy was involved, or the headers name only addresses of this machine. */
  readonly isLocal: boolean
}

type Element = ReadonlyMap<string, string>

/** One parameter of an element of `Forwarded` (RFC 7239, section 4). */
const parameter = /\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))\s*(;|,|$)/y
const hostAndPort = /^(?:\[[\da-f:.]+\]|[^:\s/?#@]+)(?::\d*)?$/i
/** Characters of a path that need no quotes in `Link`. */
const pathPrefix = /^(?:\/[\w.~!$&'()*+=:@%-]+)+$/
const address = /^[\da-f.:]{2,45}$/i

/**
 * Reads `Forwarded`, and without it the `X-Forwarded-*` headers. Of several proxies, the first one named is nearest to the
 * client.
 */
export function readForwarded(headers: readonly string[]): Forwarded {
  const elements = linesOf(headers, 'forwarded').map(readElements)
  const standard = elements.flatMap(({ read }) => read)
  const items = (name: string) =>
    linesOf(headers, `x-forwarded-${name}`).flatMap(line => line.split(',').map(item => item.trim()))
  const valuesOf = (name: string) => standard.flatMap(element => element.get(name) ?? [])
  const [first] = standard
  const read = (name: string) => (first === undefined ? items(name)[0] : first.get(name))
  const scheme = read('proto')?.toLowerCase()
  const isKnown = scheme === 'http' || scheme === 'https'
  const prefix = items('prefix')[0]?.replace(/\/+$/, '') ?? ''
  const client = nodeName(read('for') ?? '')
  return {
    scheme: isKnown ? scheme : undefined,
    host: withPort(read('host'), items('port')[0], scheme),
    hosts: [...valuesOf('host'), ...items('host')].flatMap(host => withPort(host, undefined, scheme) ?? []),
    prefix: prefix.length <= 200 && pathPrefix.test(prefix) ? prefix : '',
    client: address.test(client) ? client : undefined,
    isLocal:
      !headers.some((name, index) => index % 2 === 0 && /^(?:x-)?forwarded(?:-|$)/i.test(name)) ||
      (elements.every(({ isWhole }) => isWhole) &&
        standard.every(element => element.has('for')) &&
        areLocal([...valuesOf('for'), ...items('for')])),
  }
}

/** The elements of a line. It is not whole if one of them cannot be read, or names something twice. */
function readElements(text: string): { readonly read: readonly Element[]; readonly isWhole: boolean } {
  const read: Map<string, string>[] = []
  let isWhole = true
  let isOpen = false
  parameter.lastIndex = 0
  while (parameter.lastIndex < text.length) {
    const match = parameter.exec(text)
    if (match === null) return { read, isWhole: false }
    const [, named = '', quoted, plain = '', end] = match
    const name = named.toLowerCase()
    const element = isOpen ? read.at(-1) : undefined
    if (element?.has(name) === true) isWhole = false
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain
    if (element === undefined) read.push(new Map([[name, value]]))
    else element.set(name, value)
    isOpen = end === ';'
  }
  return { read, isWhole }
}

function areLocal(nodes: readonly string[]): boolean {
  const addresses = nodes.map(node => nodeName(node).replace(/^::ffff:(?=127\.)/i, ''))
  return addresses.length > 0 && addresses.every(node => address.test(node) && isLoopback(node))
}

function withPort(host?: string, port?: string, scheme?: string): Forwarded['host'] {
  if (host === undefined || host === '') return undefined
  if (!hostAndPort.test(host)) return repeated
  const isUsual = port === (scheme === 'https' ? '443' : '80')
  const needsPort = port !== undefined && /^\d{1,5}$/.test(port) && !isUsual && !/:\d*$/.test(host)
  return needsPort ? `${host}:${port}` : host
}

/** The address in `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]:80` or `2001:db8::1` (RFC 7239, section 6). */
function nodeName(text: string): string {
  return /^\[(.*)\](?::\w*)?$/.exec(text)?.[1] ?? /^([\d.]+):\w*$/.exec(text)?.[1] ?? text
}
