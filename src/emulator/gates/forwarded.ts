import { repeated } from '../../service/call/headers.ts'

/** What a trusted proxy says about a call that it passes on. Everything here is as unchecked as a header. */
export interface Forwarded {
  readonly scheme: 'http' | 'https' | undefined
  /** With its port. `repeated` if it is no host. */
  readonly host: string | typeof repeated | undefined
  /** The path that the proxy removed: empty, or as in `/api`. */
  readonly prefix: string
  /** The address of the client. */
  readonly client: string | undefined
}

/** Each parameter of the first element of `Forwarded` (RFC 7239, section 4). */
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
  const standard = readStandard(firstLine(headers, 'forwarded') ?? '')
  const read = (name: string, parameterName = name) =>
    standard.size > 0 ? standard.get(parameterName) : firstItem(headers, `x-forwarded-${name}`)
  const scheme = read('proto')?.toLowerCase()
  const isKnown = scheme === 'http' || scheme === 'https'
  const prefix = firstItem(headers, 'x-forwarded-prefix')?.replace(/\/+$/, '') ?? ''
  const client = nodeName(read('for') ?? '')
  return {
    scheme: isKnown ? scheme : undefined,
    host: withPort(read('host'), firstItem(headers, 'x-forwarded-port'), scheme),
    prefix: prefix.length <= 200 && pathPrefix.test(prefix) ? prefix : '',
    client: address.test(client) ? client : undefined,
  }
}

function readStandard(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  parameter.lastIndex = 0
  for (let match = parameter.exec(text); match !== null; match = parameter.exec(text)) {
    const [, name = '', quoted, plain = '', end] = match
    found.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain)
    if (end !== ';') break
  }
  return found
}

function withPort(
  host: string | undefined,
  port: string | undefined,
  scheme: string | undefined,
): Forwarded['host'] {
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

function firstItem(headers: readonly string[], name: string): string | undefined {
  return firstLine(headers, name)?.split(',', 1)[0]?.trim()
}

/** The value of the first header of this name. */
function firstLine(headers: readonly string[], name: string): string | undefined {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name)
  return at === -1 ? undefined : headers[at + 1]
}
