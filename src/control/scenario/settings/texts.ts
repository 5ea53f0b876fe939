import { type Constraint, durations, texts } from '../../../base/text/constraint.ts'

/** RFC 9110, section 5.1. */
export const headerNames = texts('a header name', /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/)
/** Values that all clients read alike. */
export const headerValues = texts('a text of visible ASCII characters', /^(?:[!-~](?:[ -~\t]*[!-~])?)?$/)
export const delays = durations('a duration, such as 250ms or 2s', 0)

/** Headers that pet-mock or the connection writes, besides those of limits. */
const own =
  'content-.*|transfer-encoding|connection|keep-alive|date|access-control-.*|vary|link|location|retry-after|sunset|deprecation|www-authenticate|allow|x-pet-mock|set-cookie|service-worker-allowed|trailer|upgrade|x-content-type-options|preference-applied'
const headersBeside = (names: string): Constraint =>
  texts(
    'the name of a header that pet-mock does not write',
    new RegExp(`^(?!(?:${names})$)[!#$%&'*+.^_\`|~0-9A-Za-z-]+$`, 'i'),
  )
/** Extra headers of every response. */
export const extraHeaders = headersBeside(`${own}|x-ratelimit-.*|ratelimit.*`)
/** Headers that may say a limit. Replies have their own values of the last three. */
export const limitHeaders = headersBeside(`${own}|cache-control|ratelimit|ratelimit-policy`)

/** Members that the specification does not name. */
export const extraMembers = (named: readonly string[], hint = ''): Constraint =>
  texts(`text other than ${named.join(', ')}${hint}`, new RegExp(`^(?!(?:${named.join('|')})$)`))
