import { addCommonHeaders } from '../../../emulator/replies/finish-reply.ts'
import type { Call } from '../../../service/call/call.ts'
import { headerValue } from '../../../service/call/headers.ts'

export interface PageFile {
  readonly bytes: Uint8Array
  readonly gzipped: Uint8Array | undefined
  /** A name for the content, without quotes. */
  readonly tag: string
}

/** Reads a file by its path in the built dashboard, such as `assets/app-1f2e.js`. Undefined: there is none. */
export type ReadPageFile = (path: string) => Promise<PageFile | undefined>

export interface Delivery {
  /** Whether the file's name changes with its content, so that a browser may keep it for good. */
  readonly isHashed: boolean
  readonly headers: Readonly<Record<string, string>>
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
}

/** Answers with a file: compressed if the client can read that, and without a body if the client has it already. */
export function sendFile(call: Call, path: string, file: PageFile, { isHashed, headers }: Delivery) {
  const isGzipped = file.gzipped !== undefined && acceptsGzip(call.headers)
  // No file is in memory that threads share.
  const bytes = (isGzipped ? file.gzipped : file.bytes) as Uint8Array<ArrayBuffer>
  const tag = `"${file.tag}${isGzipped ? '-gzip' : ''}"`
  const kept = addCommonHeaders({
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...headers,
    'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: tag,
    Vary: path === 'index.html' ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
  })
  if (hasTag(call.headers, tag)) return new Response(null, { status: 304, headers: kept })
  return new Response(call.method === 'HEAD' ? null : bytes, {
    status: 200,
    headers: {
      ...kept,
      'Content-Type': types[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
      'Content-Length': `${bytes.length}`,
      ...(isGzipped && { 'Content-Encoding': 'gzip' }),
    },
  })
}

/** RFC 9110, section 12.5.3. */
function acceptsGzip(headers: readonly string[]): boolean {
  const accepted = headerValue(headers, 'accept-encoding')
  if (typeof accepted !== 'string') return false
  return accepted
    .split(',')
    .some(coding => /^\s*(?:gzip|\*)\s*(?:;(?!\s*q=0(?:\.0*)?\s*$).*)?$/i.test(coding))
}

/** Weak comparison (RFC 9110, section 13.1.2). */
function hasTag(headers: readonly string[], tag: string): boolean {
  const known = headerValue(headers, 'if-none-match')
  if (typeof known !== 'string') return false
  return known.split(',').some(each => each.trim() === '*' || each.trim().replace(/^W\//, '') === tag)
}
