import { nextLink } from '../../service/call/link.ts'
import { readTarget } from '../../service/call/target.ts'

/** Path and query of the link `rel="next"`, which may be relative to the target of the call. */
export function nextTarget(link: string | undefined, target: string): string | undefined {
  const next = nextLink(link)
  if (next === undefined) return undefined
  const { path } = readTarget(target)
  try {
    const { pathname, search } = new URL(next, `http://service.invalid${path}`)
    return pathname + search
  } catch {
    return undefined
  }
}
