import type { Problem } from '../../fields/check.ts'
import type { Path } from '../../files/show.ts'

/** What a reply's framing, its mark and CORS need, pet-mock sets itself. */
export const ownInReplies =
  /^(?:content-length|transfer-encoding|connection|keep-alive|upgrade|trailer|date|vary|x-pet-mock|preference-applied|x-content-type-options|access-control-.*)$/i

/**
 * Where a call goes and how it is framed, and what is said to the next hop alone (RFC 9110, sections 7.2, 7.6.1, 10.1.1):
 * each way of making calls says that itself, or not at all.
 */
export const ownInCalls =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|proxy-connection|upgrade|te|trailer|expect)$/i

/** Headers of a file, by name: none that pet-mock sets itself, and none twice. */
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
    if (lowered.indexOf(name.toLowerCase()) === index) return []
    return [{ path: at, message: 'this header is given twice: case does not matter in their names' }]
  })
}
