import { readJson } from '../json/read.ts'
import type { JsonValue } from '../json/value.ts'
import { type Answer, refuse } from './answer.ts'
import type { Call } from './call.ts'
import { quote } from './echo.ts'
import { headerValue, repeated } from './headers.ts'

/** The JSON of a call's body, or the first of these that is wrong: content type, size, encoding and syntax (A01, A16). */
export function readJsonBody(call: Call): { readonly value: JsonValue } | { readonly refusal: Answer } {
  const { body } = call
  if (body === undefined || body.length === 0) {
    const message = 'The request has no body: send a JSON object with Content-Type: application/json.'
    return { refusal: refuse('invalid_body', message) }
  }
  const mediaTypeProblem = checkMediaType(call.headers)
  if (mediaTypeProblem !== undefined) {
    return {
      refusal: refuse('unsupported_media_type', `${mediaTypeProblem} Send Content-Type: application/json.`),
    }
  }
  if (body === 'too-large') return { refusal: refuse('body_too_large', 'The body is larger than 1 MiB.') }
  const text = decodeUtf8(body)
  if (text === undefined) return { refusal: refuse('invalid_json', 'The body is not valid UTF-8.') }
  const read = readJson(text)
  if ('problem' in read)
    return { refusal: refuse('invalid_json', `The body is not valid JSON: ${read.problem}.`) }
  return read
}

/** The JSON of a call's body whatever it is labelled as, for who only looks; undefined when it is none. */
export function peekJsonBody({ body }: Call): JsonValue | undefined {
  const text = body instanceof Uint8Array ? decodeUtf8(body) : undefined
  const read = text === undefined ? undefined : readJson(text)
  return read !== undefined && 'value' in read ? read.value : undefined
}

const mediaType = /^\s*application\/json\s*(?:;|$)/i
const charset = /;\s*charset\s*=\s*("?)([^";\s]*)\1/i

function checkMediaType(headers: readonly string[]): string | undefined {
  const type = headerValue(headers, 'content-type')
  if (type === undefined) return 'The Content-Type is missing.'
  if (type === repeated) return 'The Content-Type is given twice.'
  if (!mediaType.test(type)) return `A body of type ${quote(type)} is not read here.`
  const encoding = charset.exec(type)?.[2]
  if (encoding !== undefined && !/^utf-?8$/i.test(encoding))
    return `The charset ${quote(encoding)} is not UTF-8.`
  const coding = headerValue(headers, 'content-encoding')
  if (coding !== undefined && (coding === repeated || coding.trim().toLowerCase() !== 'identity')) {
    return 'A compressed body is not read here.'
  }
  return undefined
}

/** A byte order mark is ignored, as RFC 8259 (section 8.1) allows; the decoder drops it. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
