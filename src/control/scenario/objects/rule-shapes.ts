import { type Constraint, numbers, texts, wholeNumbers } from '../../../base/text/constraint.ts'

/* What the fields of rules must be, for the schema and for what is written as an object. */

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** It is told in logs and in a header: no control characters, none at the ends that would get lost. */
export const ruleNames = texts(
  'a name of up to 100 visible characters',
  /^[^\p{C}\p{Z}](?:[^\p{C}]{0,98}[^\p{C}\p{Z}])?$/u,
)
/** Braces stand for a whole segment: beside other characters they would be taken as they are. */
export const pathPatterns = texts(
  'a whole path, such as /v1/pets/{petId}, with braces around whole segments only',
  /^\/v1(?:\/(?:\{[^{}/?#\s]*\}|[^{}/?#\s]*))*$/,
)
export const keyPatterns = texts('an API key, with * for any characters', /^[A-Za-z0-9._~+/*-]+=*$/)
export const errorCodes = texts('a code of the Error shape', /^[A-Za-z0-9._-]{1,100}$/)
export const statuses = wholeNumbers('a status from 200 to 599', 200, 599)

/** A field name (RFC 9110, section 5.1), and a value that any client reads alike. */
export const headerNames = texts('the name of a header', /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/)
export const headerValues = texts('a text of visible ASCII characters', /^(?:[!-~](?:[ -~\t]*[!-~])?)?$/)

const upToAll = numbers('a number above 0 and up to 1, such as 0.05 for 5 %', 0, 1)
export const shares: Constraint = {
  expected: upToAll.expected,
  accepts: value => value !== 0 && upToAll.accepts(value),
}
