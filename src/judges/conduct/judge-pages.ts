import { BoundedMap } from '../../base/bounded-map.ts'
import { hashOf } from '../../base/hash.ts'
import { type Delivery, hasArrived, mayArrive } from '../../emulator/journal/exchange.ts'
import { replyHeader } from '../../service/call/headers.ts'
import { nextLink } from '../../service/call/link.ts'
import { readQuery, readTarget } from '../../service/call/target.ts'
import { roleOf } from '../../service/operations/operations.ts'
import { areOneCaller, type Link } from './links.ts'
import type { Judge, Note, ObservedCall, Portion } from './observed-call.ts'

/** How a client reads the pages of one list. */
interface Walks {
  /** How often the first page was requested: at most this many walks run at once. */
  begun: number
  /** Distinguishes the pages of this list from those of a list that was forgotten. */
  readonly number: number
  /** The last limit of a first page that had a next page, and how often the limit rose. */
  limit: number
  raised: number
  /** The last first page: whose it was, and its reply. */
  last: { readonly link: Link; readonly delivery: Delivery } | undefined
}

/** How often clients got a page, and the reply that comes last. */
interface Page {
  got: number
  last: Delivery | undefined
}

const mostLists = 100
const mostPages = 1_000

/** A client whose limit rises this often pages by limit. */
const raisesJudged = 3

/** Finds pages that the client already has: a cursor used by more requests than there are walks, or a limit that keeps rising. */
export function judgePages(note: Note, portion: Portion): Judge {
  const lists = new BoundedMap<number, Walks>(mostLists, { portion })
  const pages = new BoundedMap<number, Page>(mostPages, { portion })
  let made = 0
  return observed => {
    const { exchange } = observed
    const { call, reply, trace } = exchange
    if (trace.synthetic) return
    const role = roleOf(trace.operation)
    // After a new pet, known pages are incomplete, so reading them again is fine.
    if (role === 'create' && reply.status === 201) {
      lists.clear()
      pages.clear()
    }
    if (role !== 'list' || call.method !== 'GET' || reply.status !== 200) return
    const { list, cursor, limit } = readPage(call.target)
    const walks = lists.get(list) ?? { begun: 0, number: made, limit: 0, raised: 0, last: undefined }
    made += 1
    lists.set(list, walks)
    const detail = () =>
      cursor === undefined
        ? `the limit rose to ${limit ?? 20}, so earlier pets came again`
        : 'the client already had this page'
    const hasNext = nextLink(replyHeader(reply, 'link')) !== undefined
    const isFirst = cursor === undefined
    if (
      isFirst
        ? beginWalk(walks, observed, Number(limit ?? 20), hasNext)
        : turnPage(walks, pageOf(pages, hashOf(`${walks.number}`, cursor, limit ?? '')), observed)
    )
      note({ id: 'page-asked-again', exchange, detail })
  }
}

/** The list is the query without cursor and limit. */
function readPage(target: string) {
  const pairs = readQuery(readTarget(target).query)
  const filters = pairs.filter(({ name }) => name !== 'cursor' && name !== 'limit').map(({ raw }) => raw)
  const parameter = (wanted: string) => pairs.find(({ name }) => name === wanted)?.value
  const list = hashOf(filters.toSorted().join('&'))
  return { list, cursor: parameter('cursor'), limit: parameter('limit') }
}

function pageOf(pages: Map<number, Page>, name: number): Page {
  const page = pages.get(name) ?? { got: 0, last: undefined }
  pages.set(name, page)
  return page
}

function turnPage({ begun }: Walks, page: Page, { delivery, exchange }: ObservedCall): boolean {
  // A reply that is broken, or that a client no longer waited for, was not got.
  if (page.last !== undefined && mayArrive(page.last)) page.got += 1
  const isHad = page.last !== undefined && hasArrived(page.last, exchange.call.receivedAt)
  page.last = delivery
  return isHad && page.got >= Math.max(1, begun)
}

function beginWalk(walks: Walks, call: ObservedCall, limit: number, hasNext: boolean): boolean {
  const { link, delivery, exchange } = call
  const { last } = walks
  // Only a client that has the shorter list asks for a longer one. Concurrent connections may have a queue.
  const isNext =
    last !== undefined &&
    (last.link.sequence.id === link.sequence.id || areOneCaller(last.link, link)) &&
    !link.isConcurrent &&
    hasArrived(last.delivery, exchange.call.receivedAt)
  walks.begun += 1
  walks.raised = isNext && walks.limit > 0 && limit > walks.limit ? walks.raised + 1 : 0
  walks.last = { link, delivery }
  walks.limit = hasNext ? limit : 0
  return walks.raised >= raisesJudged
}
