import { jsonIn, readJson } from '../../base/json/read.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { type Answer, absent, type Problem, refuseMismatch } from './answer.ts'
import { type Call, maxBody } from './call.ts'
import { quote } from './echo.ts'
import { headerValue, repeated } from './headers.ts'
import type { ProblemCode } from './problems.ts'

/**
 * Reads the JSON of a call's body, or refuses the first that is wrong: content type, size, encoding, syntax (A01, A16).
 * `most`: the door's limit in bytes.
 */
export function readJsonBody(
  call: Call,
  most = maxBody,
  takesAnyType = false,
): { readonly value: JsonValue } | { readonly refusal: Answer } {
  const { body } = call
  if (body === undefined || body.length === 0) {
    const message = 'The request has no body: send a JSON object with Content-Type: application/json.'
    return refused('invalid_body', message, 'body', absent, 'a JSON object')
  }
  const refusal = takesAnyType ? undefined : refuseMediaType(call)
  if (refusal !== undefined) return { refusal }
  if (body === 'too-large') {
    const size = `${most / 1_048_576} MiB`
    const message = `The body is larger than ${size}.`
    return refused('body_too_large', message, 'body', `over ${size}`, `at most ${size}`)
  }
  const text = decodeUtf8(body)
  if (text === undefined) {
    return refused('invalid_json', 'The body is not valid UTF-8.', 'body', 'other bytes', 'UTF-8')
  }
  const read = readJson(text)
  if ('problem' in read) {
    const message = `The body is not valid JSON: ${read.problem}.`
    return refused('invalid_json', message, 'body', read.problem, 'JSON')
  }
  return read
}

export function refuseMediaType({ headers }: Call): Answer | undefined {
  const wrong = checkMediaType(headers)
  if (wrong === undefined) return undefined
  const { message, ...mismatch } = wrong
  return refuseMismatch('unsupported_media_type', message, [mismatch])
}

function refused(code: ProblemCode, message: string, what: string, asked: string, expected: string) {
  return { refusal: refuseMismatch(code, message, [{ what, asked, expected }]) }
}

/** The JSON of a call's body, whatever its content type; undefined if it is not JSON. */
export function peekJsonBody({ body }: Call): JsonValue | undefined {
  const text = body instanceof Uint8Array ? decodeUtf8(body) : undefined
  return text === undefined ? undefined : jsonIn(text)
}

const mediaType = /^\s*application\/json\s*(?:;|$)/i
const charset = /;\s*charset\s*=\s*("?)([^";\s]*)\1/i

function checkMediaType(headers: readonly string[]): Problem | undefined {
  const type = headerValue(headers, 'content-type')
  const expected = 'application/json'
  const ofType = (asked: string, what: string) => {
    const message = `${what} Send Content-Type: application/json.`
    return { what: 'Content-Type', asked, expected, message }
  }
  if (type === undefined) return ofType(absent, 'The Content-Type is missing.')
  if (type === repeated) return ofType('several', 'The Content-Type is given twice.')
  if (!mediaType.test(type)) return ofType(type, `A body of type ${quote(type)} is not supported.`)
  const encoding = charset.exec(type)?.[2]
  if (encoding !== undefined && !/^utf-?8$/i.test(encoding))
    return ofType(type, `The charset ${quote(encoding)} is not UTF-8.`)
  const coding = headerValue(headers, 'content-encoding')
  if (coding === undefined || (coding !== repeated && coding.trim().toLowerCase() === 'identity'))
    return undefined
  const asked = coding === repeated ? 'several' : coding
  const message = 'Compressed bodies are not supported. Send the body without Content-Encoding.'
  return { what: 'Content-Encoding', asked, expected: absent, message }
}

/** The decoder drops a byte order mark, as RFC 8259 (section 8.1) allows. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
