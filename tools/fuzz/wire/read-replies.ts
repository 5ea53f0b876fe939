import { STATUS_CODES } from 'node:http'
import { Broken } from '../lane.ts'

export interface WireReply {
  readonly status: number
  /** By lowercase name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

interface Received {
  readonly replies: readonly WireReply[]
  /** What follows the last whole reply. */
  readonly rest: string
}

/** `head`: the reply has no body. `unknown`: it has none if the next reply follows at once. */
type BodyOf = 'head' | 'any' | 'unknown'

/**
 * Reads replies from latin1 characters (RFC 9112). `bodyOf`: what is known of the body of the reply with an index. Throws
 * Broken for what is not HTTP.
 */
export function readReplies(received: string, bodyOf: (index: number) => BodyOf): Received {
  const replies: WireReply[] = []
  let at = 0
  for (;;) {
    const end = received.indexOf('\r\n\r\n', at)
    if (end === -1) return { replies, rest: received.slice(at) }
    const head = readHead(received.slice(at, end))
    if (head.status >= 100 && head.status < 200) {
      if (head.status !== 100) throw new Broken(`An interim reply ${head.status}`)
      at = end + 4
      continue
    }
    const body = readBody(received, end + 4, head, bodyOf(replies.length))
    if (body === undefined) return { replies, rest: received.slice(at) }
    replies.push({ ...head, text: Buffer.from(body.octets, 'latin1').toString() })
    at = body.end
  }
}

type Head = Omit<WireReply, 'text'>

const statusLineForm = /^HTTP\/1\.1 (\d{3}) ([\w '-]+)$/
const headerForm = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\t\x20-\x7e\x80-\xff]*)$/

function readHead(text: string): Head {
  const [statusLine = '', ...lines] = text.split('\r\n')
  const [, digits, reason] = statusLineForm.exec(statusLine) ?? []
  const status = Number(digits)
  if (digits === undefined || reason !== STATUS_CODES[status])
    throw new Broken(`Not a status line: ${JSON.stringify(statusLine.slice(0, 200))}`)
  const headers: Record<string, string> = Object.create(null)
  for (const line of lines) {
    const [, name = '', value = ''] = headerForm.exec(line) ?? []
    const key = name.toLowerCase()
    if (key === '' || key in headers)
      throw new Broken(`A header that is broken or repeated: ${JSON.stringify(line)}`)
    headers[key] = value
  }
  return { status, headers }
}

interface Body {
  readonly octets: string
  readonly end: number
}

/** Undefined: the body is not whole yet. */
function readBody(received: string, from: number, { status, headers }: Head, kind: BodyOf): Body | undefined {
  const none = { octets: '', end: from }
  const length = headers['content-length']
  const coding = headers['transfer-encoding']
  if (length !== undefined && coding !== undefined) throw new Broken('Content-Length and Transfer-Encoding')
  if (kind === 'head' || status === 304) return none
  if (status === 204) {
    if (length !== undefined || coding !== undefined)
      throw new Broken('204 with a body (RFC 9110, section 8.6)')
    return none
  }
  const isNext = received.startsWith('HTTP/1.1 ', from)
  if (kind === 'unknown' && (isNext || from === received.length)) return none
  if (coding !== undefined) return coding === 'chunked' ? readChunks(received, from) : undefined
  if (length === undefined || !/^\d+$/.test(length))
    throw new Broken(`${status} with Content-Length ${length}`)
  const end = from + Number(length)
  return end > received.length ? undefined : { octets: received.slice(from, end), end }
}

function readChunks(received: string, from: number): Body | undefined {
  let octets = ''
  let at = from
  for (;;) {
    const line = received.indexOf('\r\n', at)
    if (line === -1) return undefined
    const digits = received.slice(at, line)
    if (!/^[0-9a-f]+$/i.test(digits))
      throw new Broken(`Not the size of a chunk: ${JSON.stringify(digits.slice(0, 99))}`)
    const size = Number.parseInt(digits, 16)
    const end = line + 2 + size
    if (end + 2 > received.length) return undefined
    if (received.slice(end, end + 2) !== '\r\n') throw new Broken('A chunk that does not end with CRLF')
    octets += received.slice(line + 2, end)
    at = end + 2
    if (size === 0) return { octets, end: at }
  }
}
