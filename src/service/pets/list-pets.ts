import { type Answer, encodeOnce, refuseProblems, reply } from '../call/answer.ts'
import { writeCursor } from './cursor.ts'
import { type ListSettings, readListQuery } from './list-query.ts'
import type { PetStore } from './store.ts'
import { petText } from './text.ts'

/** One page as it goes out, with the address of the next one as callers by one origin are told it. */
interface Page {
  answer: Answer
  /** The query of the page after it. */
  readonly next: string | undefined
  /** Of the store, when it was written; absent when pets follow, since new ones are no concern of it then. */
  readonly revision: number | undefined
  origin: string | undefined
  linked: Answer
}

/**
 * The pages of one store, kept while their pets do not change: clients ask for the same few pages again and again,
 * and writing a page takes longer than everything else that a call needs.
 */
export class Pages {
  readonly #store: PetStore
  readonly #settings: ListSettings
  readonly #kept = new Map<string, Page>()
  #rewrites = 0

  constructor(store: PetStore, settings: ListSettings) {
    this.#store = store
    this.#settings = settings
  }

  /** The page that a query string asks for; `origin` is where the caller believes the service to be. */
  get(query: string, origin: string): Answer {
    if (this.#rewrites !== this.#store.rewrites) {
      this.#kept.clear()
      this.#rewrites = this.#store.rewrites
    }
    const kept = this.#kept.get(query)
    const page = kept !== undefined && this.#isFresh(kept) ? askedAgain(kept) : this.#write(query)
    if (page.next === undefined) return page.answer
    if (page.origin !== origin) {
      page.origin = origin
      page.linked = { ...page.answer, headers: { Link: `<${origin}/v1/pets?${page.next}>; rel="next"` } }
    }
    return page.linked
  }

  #isFresh({ revision }: Page): boolean {
    return revision === undefined || revision === this.#store.revision
  }

  #write(query: string): Page {
    const { answer, next, more } = listPets(this.#store, query, this.#settings)
    const revision = more ? undefined : this.#store.revision
    const page: Page = { answer, next, revision, origin: undefined, linked: answer }
    if (answer.length > maxKeptBytes) return page
    if (this.#kept.size >= maxKept) this.#kept.clear()
    this.#kept.set(query, page)
    return page
  }
}

/** Encodes a page that will be sent more than once. */
function askedAgain(page: Page): Page {
  if (page.answer.octets === undefined) {
    page.answer = encodeOnce(page.answer)
    page.origin = undefined
  }
  return page
}

const maxKept = 100
const maxKeptBytes = 65_536

function listPets(
  store: PetStore,
  query: string,
  settings: ListSettings,
): { answer: Answer; next: string | undefined; more: boolean } {
  const asked = readListQuery(query, settings)
  if ('problems' in asked) {
    return {
      answer: refuseProblems('invalid_parameter', asked.problems),
      next: undefined,
      more: false,
    }
  }
  const { pets, more } = store.page(asked.status, asked.after, asked.limit)
  const last = pets.at(-1)
  const answer = reply(200, `[${pets.map(petText).join(',')}]`)
  if (!more || last === undefined || settings.pagination === 'none') return { answer, next: undefined, more }
  const cursor = `cursor=${writeCursor(last.id)}`
  return { answer, next: asked.rest === '' ? cursor : `${asked.rest}&${cursor}`, more }
}
