import type { Reply } from './call.ts'

/** A header that was sent more than once where one value is expected. */
export const repeated = Symbol('repeated header')

/** The value of a header by its lower-case name; names are case-insensitive (RFC 9110, section 5.1). */
export function headerValue(headers: readonly string[], name: string): string | typeof repeated | undefined {
  let found: string | undefined
  for (let index = 0; index < headers.length; index += 2) {
    const candidate = headers[index]
    if (candidate === undefined || candidate.length !== name.length) continue
    if (candidate !== name && candidate.toLowerCase() !== name) continue
    if (found !== undefined) return repeated
    found = headers[index + 1]
  }
  return found
}

/** The values of a header by its lower-case name, one of each line. */
export function linesOf(headers: readonly string[], name: string): readonly string[] {
  const lines: string[] = []
  for (let index = 0; index < headers.length; index += 2) {
    const candidate = headers[index]
    if (candidate?.length === name.length && candidate.toLowerCase() === name)
      lines.push(headers[index + 1] ?? '')
  }
  return lines
}

/** Names and values in turn, as pairs. */
export function pairsOf(headers: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at] ?? '', headers[at + 1] ?? ''])
  return pairs
}

/** A header of a reply by its lower-case name, in any case. */
export function replyHeader({ headers }: Pick<Reply, 'headers'>, name: string): string | undefined {
  for (const header in headers)
    if (header.length === name.length && header.toLowerCase() === name) return headers[header]
  return undefined
}

/** Where a response sends its client instead of an answer; undefined if it does not. */
export function redirectTarget(status: number, headers: Reply['headers']): string | undefined {
  return status >= 300 && status < 400 ? headers.location : undefined
}

/** Why a redirected call is not judged, as a clause. */
export function redirectReason(target: string): string {
  return `the service redirects it to ${target}`
}
