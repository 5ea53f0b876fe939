import { type Constraint, durations, texts } from '../../../base/text/constraint.ts'

/** RFC 9110, section 5.1. */
export const headerNames = texts('a header name', /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/)
/** Values that all clients read alike. */
export const headerValues = texts('a text of visible ASCII characters', /^(?:[!-~](?:[ -~\t]*[!-~])?)?$/)
export const delays = durations('a duration, such as 250ms or 2s', 0)

/** Headers that pet-mock or the connection writes. */
const own =
  '(?:content-.*|transfer-encoding|connection|keep-alive|date|access-control-.*|vary|link|location|retry-after|sunset|deprecation|www-authenticate|allow|x-pet-mock|x-ratelimit-.*|ratelimit.*|set-cookie|service-worker-allowed|trailer|upgrade)'
/** Extra headers of every response. */
export const extraHeaders: Constraint = texts(
  'the name of a header that pet-mock does not write',
  new RegExp(`^(?!${own}$)[!#$%&'*+.^_\`|~0-9A-Za-z-]+$`, 'i'),
)
