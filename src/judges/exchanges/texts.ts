import { isObject } from '../../base/json/is-object.ts'
import { jsonIn } from '../../base/json/read.ts'
import type { JsonValue } from '../../base/json/value.ts'
import type { Call, Reply } from '../../service/call/call.ts'

/** Headers by lower-case name. Lines of one name are joined (RFC 9110, section 5.3). */
export function byName(headers: readonly string[]): Readonly<Record<string, string>> {
  const named: Record<string, string> = {}
  for (let index = 0; index < headers.length; index += 2) {
    const name = (headers[index] ?? '').toLowerCase()
    const value = headers[index + 1] ?? ''
    named[name] = Object.hasOwn(named, name) ? `${named[name]}, ${value}` : value
  }
  return named
}

export function replyByName({ headers }: Pick<Reply, 'headers'>): Readonly<Record<string, string>> {
  return byName(Object.entries(headers).flat())
}

/** Headers as a reply has them: by capitalised name, such as `Retry-After`. */
export function asReplyHeaders(headers: readonly string[]): Readonly<Record<string, string>> {
  const capitalise = (name: string) => name.replace(/(?<![a-z0-9])[a-z]/g, letter => letter.toUpperCase())
  return Object.fromEntries(Object.entries(byName(headers)).map(([name, text]) => [capitalise(name), text]))
}

/** The text of a request body; undefined if there is none. */
export function bodyText(body: Call['body']): string | undefined {
  return body instanceof Uint8Array && body.length > 0 ? new TextDecoder().decode(body) : undefined
}

/** The JSON of a body without its byte order mark (RFC 8259, section 8.1); undefined if it is none. */
export function bodyJson(body: string): JsonValue | undefined {
  return jsonIn(body.replace(/^\ufeff/, ''))
}

/** A request target without the base path; undefined for a target outside the API. */
export function belowBase(target: string, base: string): string | undefined {
  return target.startsWith(`${base}/`) ? target.slice(base.length) : undefined
}

export type Fields = Readonly<Record<string, unknown>>

/** The fields of an object in JSON; undefined for anything else. */
export function parseFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
