import { readQuery } from '../../service/call/query.ts'
import { readTarget } from '../../service/call/target.ts'
import { BoundedMap } from './bounded-map.ts'
import { type Judge, type Note, replyHeader } from './observed-call.ts'

/** Walks through the pages of one list. */
interface Walks {
  /** How often the first page was asked for: there may be as many walks. */
  begun: number
  readonly pages: BoundedMap<string, number>
  /** The last limit of a first page that had more behind it, and how often it was raised. */
  limit: number
  raised: number
}

const mostLists = 100
const mostPages = 1_000

/** Raised so often, a limit is a way of turning pages. */
const raisesJudged = 2

/** Pages that a walk has already: a cursor asked for more often than there are walks, or a limit that is raised again and again. */
export function judgePages(note: Note): Judge {
  const lists = new BoundedMap<string, Walks>(mostLists)
  return ({ exchange }) => {
    const { call, reply, trace } = exchange
    if (trace.synthetic) return
    // What was read before is no longer all that there is.
    if (trace.operation === 'createPet' && reply.status === 201) lists.clear()
    if (trace.operation !== 'listPets' || call.method !== 'GET' || reply.status !== 200) return
    const pairs = readQuery(readTarget(call.target).query)
    const cursor = pairs.find(({ name }) => name === 'cursor')?.value
    const isPlain = ({ name }: { readonly name: string }) => name !== 'cursor' && name !== 'limit'
    const list = pairs
      .filter(isPlain)
      .map(({ raw }) => raw)
      .toSorted()
      .join('&')
    const walks = lists.get(list) ?? { begun: 0, pages: new BoundedMap(mostPages), limit: 0, raised: 0 }
    lists.set(list, walks)
    if (cursor !== undefined) {
      const page = `${cursor} ${pairs.find(({ name }) => name === 'limit')?.value ?? ''}`
      const count = (walks.pages.get(page) ?? 0) + 1
      walks.pages.set(page, count)
      if (count > Math.max(1, walks.begun)) {
        note({ id: 'page-asked-again', exchange, detail: () => 'a page that the walk had already' })
      }
      return
    }
    walks.begun += 1
    const limit = Number(pairs.find(({ name }) => name === 'limit')?.value ?? 20)
    walks.raised = walks.limit > 0 && limit > walks.limit ? walks.raised + 1 : 0
    walks.limit = /rel="next"/.test(replyHeader(reply, 'link') ?? '') ? limit : 0
    if (walks.raised < raisesJudged) return
    const detail = () => `the limit was raised to ${limit}, and all before it came again`
    note({ id: 'page-asked-again', exchange, detail })
  }
}
