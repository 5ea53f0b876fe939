import type { JsonObject } from '../../../base/json/value.ts'
import { nextLink } from '../../../service/call/link.ts'
import { type CheckedCall, idsOf, petsOf } from '../calls/checked-call.ts'
import { type CheckRequest, get } from '../calls/request.ts'
import type { CheckRun } from '../run/check-run.ts'
import { isComplete, list, type Query } from './list-pets.ts'

/** The pages that the links `rel="next"` lead to. */
export interface Walk {
  readonly pages: readonly CheckedCall[]
  /** Ids as texts, page by page. */
  readonly ids: readonly string[]
  /** Whether the last page has no link. */
  readonly isWhole: boolean
  /** Why the walk ended early, as a sentence without its full stop. */
  readonly trouble: string | undefined
}

/** Follows the links from a list. Undefined without a list. */
export async function walk(run: CheckRun, query: Query, mostPages: number): Promise<Walk | undefined> {
  const first = await list(run, query)
  if (first === undefined) return undefined
  const pages = [first]
  let trouble: string | undefined
  let isWhole = false
  for (let page = first; pages.length < mostPages && trouble === undefined; ) {
    const link = nextLink(page.headers.link)
    if (link === undefined) {
      isWhole = true
      break
    }
    const request = requestOf(run, page, link)
    if (typeof request === 'string') {
      run.ledger.leaveOpen('page-continues', request)
      break
    }
    const next = await run.call(request, request.isOutside ? 'route-unknown' : undefined)
    if (next === undefined || next.status === 429) break
    if (next.status !== 200) trouble = `the link rel="next" ${link} gets ${next.status}`
    else pages.push(next)
    page = next
  }
  const ids = pages.flatMap(idsOf)
  return { pages, ids, isWhole, trouble }
}

/** All animals; undefined if they are more than some pages, or if nothing says that they are all. */
export async function allPets(run: CheckRun): Promise<readonly JsonObject[] | undefined> {
  const found = await walk(run, { limit: 100 }, 3)
  const [only, second] = found?.pages ?? []
  if (found === undefined || only === undefined || !found.isWhole) return undefined
  return second === undefined && !isComplete(run, only) ? undefined : found.pages.flatMap(petsOf)
}

/** The request that a link stands for, or why it is not made. */
function requestOf(
  { options: { basePath } }: CheckRun,
  page: CheckedCall,
  link: string,
): CheckRequest | string {
  const base = `http://service.invalid${basePath}${page.request.target}`
  if (!URL.canParse(link, base)) return `the link rel="next" is no URL: ${link}`
  const { pathname, search } = new URL(link, base)
  // The host may be another name of the service. The key must not go there.
  if (pathname.startsWith(`${basePath}/`)) return get(`${pathname.slice(basePath.length)}${search}`)
  return { ...get(`${pathname}${search}`), isOutside: true }
}
