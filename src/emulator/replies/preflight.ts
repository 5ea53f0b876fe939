import { type Answer, type Mismatch, reply } from '../../service/call/answer.ts'
import { clip } from '../../service/call/echo.ts'
import { headerValue } from '../../service/call/headers.ts'

/** How many header names a preflight may ask for, and how many characters they may have in all. */
const mostNames = 64
const mostNameText = 4_096

/** A field name (RFC 9110, section 5.1). */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/

/**
 * The answer to OPTIONS. A preflight of an allowed page is allowed all headers that it asks for, whatever they are: the
 * service does not say which it accepts (A19). `refusal`: why the page is not allowed.
 */
export function answerOptions(
  headers: readonly string[],
  allow: string,
  isAllowed: boolean,
  refusal: Mismatch | undefined,
): Answer {
  const method = headerValue(headers, 'access-control-request-method')
  if (method === undefined) return reply(204, '', { Allow: allow })
  if (!isAllowed) return { ...reply(204, '', { Allow: allow }), mismatches: refusal && [refusal] }
  const { allowed, problem } = readNames(headerValue(headers, 'access-control-request-headers'))
  const answer = reply(204, '', {
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': allowed,
    'Access-Control-Max-Age': '600',
  })
  const mismatches = [checkMethod(method, allow), problem].filter(mismatch => mismatch !== undefined)
  return mismatches.length === 0 ? answer : { ...answer, mismatches }
}

/** A browser refuses methods that are not listed, and learns no reason. */
function checkMethod(asked: unknown, allow: string): Mismatch | undefined {
  if (typeof asked !== 'string' || allow.split(', ').includes(asked)) return undefined
  return {
    what: 'Access-Control-Request-Method',
    asked: clip(asked),
    expected: `one of ${allow} (--openapi can add others)`,
  }
}

/** The valid names, as sent, up to the limits. */
function readNames(asked: unknown): { readonly allowed: string; readonly problem: Mismatch | undefined } {
  const usual = 'Authorization, Content-Type, Prefer'
  if (typeof asked !== 'string') return { allowed: usual, problem: undefined }
  const names = asked.split(',')
  const isCut = names.length > mostNames || asked.length > mostNameText
  // The last name of a cut text may be half of one.
  const kept = asked.length > mostNameText ? asked.slice(0, mostNameText).split(',').slice(0, -1) : names
  const allowed = kept.slice(0, mostNames).map(name => name.trim())
  return {
    allowed: allowed.filter(name => headerName.test(name)).join(', ') || usual,
    problem: isCut
      ? {
          what: 'Access-Control-Request-Headers',
          asked: `${names.length} names of ${asked.length} characters`,
          expected: `at most ${mostNames} names of ${mostNameText} characters in all`,
        }
      : undefined,
  }
}
