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
