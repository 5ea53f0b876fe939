import { parseInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'
import { didYouMean } from '../../base/text/did-you-mean.ts'
import { type Answer, absent, encodeOnce, type Problem, refuseProblems, reply } from '../call/answer.ts'
import { quote } from '../call/echo.ts'
import { readQuery } from '../call/target.ts'
import { isPetStatus, type PetStatus, petStatuses, petText } from './pet.ts'
import type { PetStore } from './store.ts'

/** A page, with and without the link to the next one. */
interface Page {
  answer: Answer
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
    const { revision } = this.#store
    const isFresh = kept !== undefined && (kept.revision ?? revision) === revision
    const page = isFresh ? askedAgain(kept) : this.#write(query)
    if (page.next === undefined) return page.answer
    if (page.base !== base) {
      page.base = base
      const shown = this.#settings.pagination === 'relative' ? base.replace(/^https?:\/\/[^/]*/, '') : base
      page.linked = { ...page.answer, headers: { Link: `<${shown}/pets?${page.next}>; rel="next"` } }
    }
    return page.linked
  }

  /** The answer about a single pet; `make` makes a new one. */
  pet(petId: string, base: string, make: () => Answer): Answer {
    const { revision } = this.#store
    if (this.#shared !== undefined && revision === 0) return this.#shared.pet(petId, base, make)
    return this.#pets.get(petId, revision, base, make)
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
    const isDescending = this.#settings.pageOrder === 'descending'
    const { pets, more } = this.#store.page(asked.status, asked.after, asked.limit, isDescending)
    const answer = reply(200, `[${pets.map(petText).join(',')}]`)
    const last = pets.at(-1)
    if (!more || last === undefined) return pageOf(answer, revision)
    // A new pet comes after this page, or before all pages.
    const kept = isDescending ? revision : undefined
    if (this.#settings.pagination === 'none') return pageOf(answer, kept)
    const cursor = `cursor=${writeCursor(last.id)}`
    return pageOf(answer, kept, asked.rest === '' ? cursor : `${asked.rest}&${cursor}`)
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

/** Settings of A12 and A15. */
export interface ListSettings {
  readonly pageSize: 'reject' | 'clamp'
  readonly pageOrder?: 'ascending' | 'descending'
  readonly pagination: 'link' | 'relative' | 'none'
}

interface ListQuery {
  readonly limit: number
  readonly status: PetStatus | undefined
  readonly after: Int64 | undefined
  /** The query for the next page's URL: as sent, without its cursor, encoded. */
  readonly rest: string
}

/** Specification, "Page size". */
export const pageSize = { min: 1, max: 100, default: 20 }

/** As Tomcat, PHP and Express. */
const mostParameters = 1_000

/** Reads the query of listPets, or lists all its problems. Ignores unknown parameters. */
export function readListQuery(
  query: string,
  settings: ListSettings,
): ListQuery | { readonly problems: readonly Problem[] } {
  const pairs = readQuery(query)
  if (pairs.length > mostParameters) {
    const expected = 'at most 1,000 query parameters'
    const message = `the query has ${pairs.length} parameters: send ${expected}`
    return { problems: [{ what: 'query', asked: `${pairs.length} parameters`, expected, message }] }
  }
  const problems: Problem[] = []
  const take = (name: string): string | undefined => {
    const given = pairs.filter(pair => pair.name === name)
    if (given.length > 1) {
      const asked = given.map(pair => pair.raw).join('&')
      const message = `${name} is given ${given.length} times`
      problems.push({ what: name, asked, expected: given[0]?.raw ?? absent, message })
    }
    const [only] = given.length === 1 ? given : []
    if (only !== undefined && only.value === undefined) {
      const expected = 'UTF-8 in percent-encoding'
      const message = `${name} cannot be decoded: ${quote(only.raw)} is not ${expected}`
      problems.push({ what: name, asked: only.raw, expected, message })
    }
    return only?.value
  }

  const limit = readLimit(take('limit'), settings.pageSize, problems)
  const statusText = take('status')
  const status = isPetStatus(statusText) ? statusText : undefined
  if (statusText !== undefined && status === undefined) {
    const expected = `one of ${petStatuses.join(', ')}`
    problems.push({
      what: 'status',
      asked: statusText,
      expected: didYouMean(statusText, petStatuses) ?? expected,
      message: `status must be ${expected}, not ${quote(statusText)}`,
    })
  }
  const cursor = settings.pagination === 'none' ? undefined : take('cursor')
  const after = cursor === undefined ? undefined : readCursor(cursor)
  if (cursor !== undefined && after === undefined) {
    problems.push({
      what: 'cursor',
      asked: cursor,
      expected: 'a cursor from a Link header',
      message: 'cursor is unknown: copy it unchanged from a Link header',
    })
  }
  if (problems.length > 0) return { problems }
  const others = pairs.filter(pair => pair.name !== 'cursor').map(pair => encodeRest(pair.raw))
  return { limit, status, after, rest: others.join('&') }
}

function readLimit(text: string | undefined, outside: ListSettings['pageSize'], problems: Problem[]): number {
  if (text === undefined) return pageSize.default
  // Number() would also read "020", "2e1", "0x14" and " 20" (A12).
  const value = /^-?(?:0|[1-9][0-9]*)$/.test(text) ? Number(text) : Number.NaN
  const clamped = Math.min(pageSize.max, Math.max(pageSize.min, value))
  if (value === clamped || (outside === 'clamp' && !Number.isNaN(value))) return clamped
  const expected = `a whole number from ${pageSize.min} to ${pageSize.max}`
  problems.push({
    what: 'limit',
    asked: text,
    expected: Number.isNaN(clamped) ? expected : `${clamped} (${expected})`,
    message: `limit must be ${expected}, not ${quote(text)}`,
  })
  return pageSize.default
}

/**
 * Encodes what a query must not contain (RFC 3986, section 3.4), such as `>`, which would end the URL of a Link. Halves
 * of surrogate pairs become U+FFFD, as in UTF-8 encoders.
 */
function encodeRest(raw: string): string {
  return raw.replace(/%(?![0-9a-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]+/gi, found =>
    encodeURIComponent(found.replace(/\p{Surrogate}/gu, '\ufffd')),
  )
}

const mark = 'after:'

/** An opaque text that has only the last id, so that it stays right while pets are created (A15). */
export function writeCursor(lastId: Int64): string {
  return btoa(`${mark}${lastId}`).replaceAll('=', '')
}

/** The id in a cursor, or undefined when this emulator cannot have written it. */
function readCursor(cursor: string): Int64 | undefined {
  let text: string
  try {
    text = atob(cursor)
  } catch {
    return undefined
  }
  const id = text.startsWith(mark) ? parseInt64(text.slice(mark.length)) : undefined
  return id !== undefined && id > 0 && writeCursor(id) === cursor ? id : undefined
}
