import { readQuery } from '../../service/call/query.ts'
import { readTarget } from '../../service/call/target.ts'
import { BoundedMap } from './bounded-map.ts'
import { hashOf, type Judge, type Note, type Portion, replyHeader } from './observed-call.ts'

/** How a client reads the pages of one list. */
interface Walks {
  /** How often the first page was requested: at most this many walks run at once. */
  begun: number
  /** Tells the pages of this list from those of a list that was forgotten. */
  readonly number: number
  /** The last limit of a first page that had a next page, and how often the limit rose. */
  limit: number
  raised: number
}

const mostLists = 100
const mostPages = 1_000

/** A client whose limit rises this often pages by limit. */
const raisesJudged = 2

/** Finds pages that the client already has: a cursor used by more requests than there are walks, or a limit that keeps rising. */
export function judgePages(note: Note, portion: Portion): Judge {
  const lists = new BoundedMap<number, Walks>(mostLists, { portion })
  /** How often each page of each list was requested. */
  const pages = new BoundedMap<number, number>(mostPages, { portion })
  let made = 0
  return ({ exchange }) => {
    const { call, reply, trace } = exchange
    if (trace.synthetic) return
    // After a new pet, known pages are incomplete, so reading them again is fine.
    if (trace.operation === 'createPet' && reply.status === 201) {
      lists.clear()
      pages.clear()
    }
    if (trace.operation !== 'listPets' || call.method !== 'GET' || reply.status !== 200) return
    const { list, cursor, limit } = readPage(call.target)
    const walks = lists.get(list) ?? { begun: 0, number: made, limit: 0, raised: 0 }
    made += 1
    lists.set(list, walks)
    const detail = () =>
      cursor === undefined
        ? `the limit rose to ${limit ?? 20}, so earlier pets came again`
        : 'the client already had this page'
    const hasNext = /rel="next"/.test(replyHeader(reply, 'link') ?? '')
    const isFirst = cursor === undefined
    if (
      isFirst
        ? beginWalk(walks, Number(limit ?? 20), hasNext)
        : turnPage(walks, pages, hashOf(`${walks.number}`, cursor, limit ?? ''))
    )
      note({ id: 'page-asked-again', exchange, detail })
  }
}

/** The list is the query without cursor and limit. */
function readPage(target: string) {
  const pairs = readQuery(readTarget(target).query)
  const filters = pairs.filter(({ name }) => name !== 'cursor' && name !== 'limit').map(({ raw }) => raw)
  const parameter = (wanted: string) => pairs.find(({ name }) => name === wanted)?.value
  const list = filters.toSorted().join('&')
  const [cursor, limit] = [parameter('cursor'), parameter('limit')]
  return { list: hashOf(list), cursor, limit }
}

function turnPage({ begun }: Walks, pages: Map<number, number>, page: number): boolean {
  const count = (pages.get(page) ?? 0) + 1
  pages.set(page, count)
  return count > Math.max(1, begun)
}

function beginWalk(walks: Walks, limit: number, hasNext: boolean): boolean {
  walks.begun += 1
  walks.raised = walks.limit > 0 && limit > walks.limit ? walks.raised + 1 : 0
  walks.limit = hasNext ? limit : 0
  return walks.raised >= raisesJudged
}
