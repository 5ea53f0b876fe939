import { type Problem, problemIf } from '../../fields/problem.ts'
import type { Path } from '../../files/show.ts'

/** Headers of replies that pet-mock sets itself: framing, marks and CORS. */
export const ownInReplies =
  /^(?:content-length|transfer-encoding|connection|keep-alive|upgrade|trailer|date|vary|x-pet-mock|preference-applied|x-content-type-options|access-control-.*)$/i

/** Headers of calls that the sender sets itself: target, framing and hop-by-hop (RFC 9110, sections 7.2, 7.6.1, 10.1.1). */
export const ownInCalls =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|proxy-connection|upgrade|te|trailer|expect)$/i

/** A file may not give headers that pet-mock sets itself, and no header twice. */
export function checkHeaders(
  headers: Readonly<Record<string, unknown>> | undefined,
  own: RegExp,
  path: Path,
): readonly Problem[] {
  const names = Object.keys(headers ?? {})
  const lowered = names.map(name => name.toLowerCase())
  return names.flatMap((name, index) => {
    const at = [...path, name]
    if (own.test(name)) return [{ path: at, message: 'pet-mock sets this header itself' }]
    const isTwin = lowered.indexOf(name.toLowerCase()) < index
    return problemIf(isTwin, at, 'this header is given twice: header names ignore case')
  })
}
