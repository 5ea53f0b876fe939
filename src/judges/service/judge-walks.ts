import { BoundedMap } from '../../base/bounded-map.ts'
import { headerValue } from '../../service/call/headers.ts'
import { hashOf } from '../conduct/observed-call.ts'
import { nextTarget } from './next-target.ts'
import type { ServiceAnswer } from './service-answer.ts'
import type { Remarks } from './service-tally.ts'

/** A walk through the pages of a list by its links. Targets and bodies are hashes. */
interface Walk {
  /** The body of each page by its target. */
  readonly pages: BoundedMap<number, number>
  /** Pages to which a later page led back, and when. */
  readonly ledBack: BoundedMap<number, number>
}

const mostWalks = 200
const mostPages = 200

/**
 * Finds links that lead a walk round: back to a page that the walk had, which then has the same animals again. Asking
 * for a page twice is no walk round, and neither is one cursor for all pages if each has other animals.
 */
export function createWalkJudge({ fault }: Remarks) {
  /** By the target that comes next. */
  const walks = new BoundedMap<number, Walk>(mostWalks)
  return (answer: ServiceAnswer): void => {
    const { exchange, operation, status, headers, sentAt, answeredAt } = answer
    const { call, reply, cut } = exchange
    if (operation !== 'listPets' || status !== 200 || cut.reply !== undefined) return
    const { body = '', fault: broken } = reply
    if (broken !== undefined || /^\s*(?:\[\s*\]\s*)?$/.test(body)) return
    const key = headerValue(call.headers, 'authorization')
    const caller = typeof key === 'string' ? key : ''
    const page = hashOf(caller, call.target)
    const content = hashOf(body)
    const walk = walks.get(page) ?? newWalk()
    const ledBackAt = walk.ledBack.get(page)
    if (ledBackAt !== undefined && sentAt >= ledBackAt && walk.pages.get(page) === content) {
      fault('page-continues', exchange, 'the links led back to this page, with the same animals')
      walk.ledBack.delete(page)
    }
    walk.pages.set(page, content)
    const target = nextTarget(headers.link, call.target)
    if (target === undefined) return
    const next = hashOf(caller, target)
    if (walk.pages.has(next)) walk.ledBack.set(next, answeredAt)
    walks.set(next, walk)
  }
}

function newWalk(): Walk {
  return { pages: new BoundedMap(mostPages), ledBack: new BoundedMap(mostPages) }
}
