import { nextLink } from '../../service/call/link.ts'
import { readQuery } from '../../service/call/query.ts'
import { readTarget } from '../../service/call/target.ts'
import type { Take } from './take.ts'

/** A parameter of a next link, and the value that a later call sends. */
interface Cursor {
  readonly name: string
  readonly parameter: string
}

const longest = 1_000

export type Cursors = ReturnType<typeof createCursors>

/** Finds the parameters that clients take from a link `rel="next"`, so that a walkthrough can do the same. */
export function createCursors(takes: readonly Take[]) {
  const offered = new Map<string, { readonly by: Take; readonly parameter: string }>()
  const savedBy = new Map<Take, Record<string, string>>()
  const names = new Map<string, Cursor>()
  for (const take of takes) {
    for (const { name, value, raw } of readQuery(readTarget(take.target).query)) {
      const place = `${name}=${value}`
      const offer = offered.get(place)
      if (offer === undefined || names.has(raw)) continue
      const cursor = { name: `next${names.size + 1}`, parameter: name }
      names.set(raw, cursor)
      savedBy.set(offer.by, { ...savedBy.get(offer.by), [cursor.name]: `next.${name}` })
    }
    const own = new Set(readQuery(readTarget(take.target).query).map(({ raw }) => raw))
    for (const { name, value = '', raw } of nextQuery(take))
      if (!own.has(raw) && /^[A-Za-z_][\w.~-]{0,99}$/.test(name) && value !== '' && value.length <= longest)
        if (!offered.has(`${name}=${value}`)) offered.set(`${name}=${value}`, { by: take, parameter: name })
  }
  return {
    savedBy: (take: Take): Readonly<Record<string, string>> => savedBy.get(take) ?? {},
    /** A query with references instead of the values of cursors. */
    inQuery: (query: string): string =>
      query
        .split('&')
        .map(raw => {
          const cursor = names.get(raw)
          return cursor === undefined ? raw : `${cursor.parameter}=\${${cursor.name}}`
        })
        .join('&'),
  }
}

function nextQuery({ operation, status, answer: { link } }: Take) {
  const next = operation === 'listPets' && status === 200 ? nextLink(link) : undefined
  return next === undefined ? [] : readQuery(readTarget(next).query)
}
