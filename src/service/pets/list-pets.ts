import { type Answer, encodeOnce, refuseProblems, reply } from '../call/answer.ts'
import { writeCursor } from './cursor.ts'
import { type ListSettings, readListQuery } from './list-query.ts'
import { petText } from './pet.ts'
import type { PetStore } from './store.ts'

/** A page, with and without the link to the next one. */
interface Page {
  answer: Answer
  /** The query of the next page. */
  readonly next: string | undefined
  /** Revision of the store when the page was written. Undefined if pets follow: new ones then do not change it. */
  readonly revision: number | undefined
  /** The URL of the API in the link of `linked`. */
  base: string | undefined
  linked: Answer
}

/**
 * The pages of one store, cached until their pets change. Clients ask for the same few pages, and writing a page takes
 * longer than the rest of a call.
 */
export class Pages {
  readonly #store: PetStore
  readonly #settings: ListSettings
  readonly #shared: Pages | undefined
  readonly #kept = new Map<string, Page>()
  readonly #pets = new KeptAnswers()
  #rewrites = 0

  /** `shared`: the pages of the store that this one was forked from, by the same settings. They serve until it changes. */
  constructor(store: PetStore, settings: ListSettings, shared?: Pages) {
    this.#store = store
    this.#settings = settings
    this.#shared = shared
  }

  /** The page for a query string; `base` is the URL of the API in the link to the next page. */
  get(query: string, base: string): Answer {
    if (this.#shared !== undefined && this.#store.revision === 0) return this.#shared.get(query, base)
    if (this.#rewrites !== this.#store.rewrites) {
      this.#kept.clear()
      this.#rewrites = this.#store.rewrites
    }
    const kept = this.#kept.get(query)
    const page = kept !== undefined && this.#isFresh(kept) ? askedAgain(kept) : this.#write(query)
    if (page.next === undefined) return page.answer
    if (page.base !== base) {
      page.base = base
      page.linked = { ...page.answer, headers: { Link: `<${base}/pets?${page.next}>; rel="next"` } }
    }
    return page.linked
  }

  /** The answer about a single pet; `make` makes a new one. */
  pet(petId: string, base: string, make: () => Answer): Answer {
    const { revision } = this.#store
    if (this.#shared !== undefined && revision === 0) return this.#shared.pet(petId, base, make)
    return this.#pets.get(petId, revision, base, make)
  }

  #isFresh({ revision }: Page): boolean {
    return revision === undefined || revision === this.#store.revision
  }

  #write(query: string): Page {
    const page = this.#list(query)
    if (page.answer.length > maxKeptBytes) return page
    if (this.#kept.size >= maxKept) this.#kept.clear()
    this.#kept.set(query, page)
    return page
  }

  #list(query: string): Page {
    const asked = readListQuery(query, this.#settings)
    const { revision } = this.#store
    if ('problems' in asked) return pageOf(refuseProblems('invalid_parameter', asked.problems), revision)
    const { pets, more } = this.#store.page(asked.status, asked.after, asked.limit)
    const answer = reply(200, `[${pets.map(petText).join(',')}]`)
    const last = pets.at(-1)
    if (!more || last === undefined) return pageOf(answer, revision)
    if (this.#settings.pagination === 'none') return pageOf(answer, undefined)
    const cursor = `cursor=${writeCursor(last.id)}`
    return pageOf(answer, undefined, asked.rest === '' ? cursor : `${asked.rest}&${cursor}`)
  }
}

function pageOf(answer: Answer, revision: number | undefined, next?: string): Page {
  return { answer, next, revision, base: undefined, linked: answer }
}

/** Encodes a page when it is first asked for again. */
function askedAgain(page: Page): Page {
  if (page.answer.octets === undefined) {
    page.answer = encodeOnce(page.answer)
    page.base = undefined
  }
  return page
}

const maxKept = 100
const maxKeptBytes = 65_536

const mostKept = 100
/** In characters. The ids of pets are shorter. */
const longestKept = 32

/** Answers about single pets, kept until a pet changes: clients repeat their calls. */
class KeptAnswers {
  readonly #answers = new Map<string, Answer>()
  #revision = 0
  #base = ''

  /** The kept answer about a pet, or a new one. `revision`: that of the store; `base`: the URL of the API in links. */
  get(petId: string, revision: number, base: string, make: () => Answer): Answer {
    if (this.#revision !== revision || this.#base !== base) {
      this.#answers.clear()
      this.#revision = revision
      this.#base = base
    }
    const kept = this.#answers.get(petId)
    if (kept !== undefined) return kept
    const answer = make()
    if (petId.length > longestKept) return answer
    if (this.#answers.size >= mostKept) this.#answers.clear()
    this.#answers.set(petId, answer)
    return answer
  }
}
