import type { Int64 } from '../../base/json/value.ts'
import { didYouMean } from '../../base/text/did-you-mean.ts'
import { absent, type Problem } from '../call/answer.ts'
import { quote } from '../call/echo.ts'
import { readQuery } from '../call/query.ts'
import { readCursor } from './cursor.ts'
import { isPetStatus, type PetStatus, petStatuses } from './pet.ts'

/** Settings of A12 and A15. */
export interface ListSettings {
  readonly pageSize: 'reject' | 'clamp'
  readonly pagination: 'link' | 'none'
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
