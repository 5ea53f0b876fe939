/** A request target, taken apart as RFC 9112 (section 3.2) and RFC 3986 say, and in no other way. */
export interface Target {
  /** As sent, without query. */
  readonly path: string
  /** As sent, without `?`; empty when there is none. */
  readonly query: string
  /** Of an absolute-form target; it takes the place of the Host header. */
  readonly authority: string | undefined
}

const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i

/**
 * `new URL` would not do: it takes `//evil/v1/pets` for a host, and folds `/v1/x/../pets`, `/v1/%2e%2e/` and `\`
 * into other paths, so that a client would be answered for a path that it did not ask for.
 */
export function readTarget(target: string): Target {
  let rest = target
  let authority: string | undefined
  if (!target.startsWith('/')) {
    const absolute = absoluteForm.exec(target)
    if (absolute) {
      authority = absolute[1]
      rest = target.slice(absolute[0].length)
    }
  }
  const fragment = rest.indexOf('#')
  if (fragment !== -1) rest = rest.slice(0, fragment)
  const question = rest.indexOf('?')
  if (question === -1) return { path: rest === '' ? '/' : rest, query: '', authority }
  return { path: rest.slice(0, question) || '/', query: rest.slice(question + 1), authority }
}

/** Segments after the first slash, each decoded by itself so that `%2F` never splits; undefined when one cannot be. */
export function pathSegments(path: string): readonly string[] | undefined {
  const segments = path.slice(1).split('/')
  if (!path.includes('%')) return segments
  try {
    return segments.map(decodeURIComponent)
  } catch {
    return undefined
  }
}
