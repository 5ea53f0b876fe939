import { isJsonObject } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import type { JsonObject, JsonValue } from '../../base/json/value.ts'
import type { WholeAnswer } from '../walkthrough/target.ts'

/** A request of a conformance run. */
export interface CheckRequest {
  readonly method: string
  /** Below the base URL: `/pets?limit=5`. */
  readonly target: string
  /** The one under test, the same with its scheme in lower case, none, or another Authorization header. */
  readonly key: 'valid' | 'valid, in lower case' | 'none' | { readonly authorization: string }
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** A request with its answer. */
export interface Seen extends WholeAnswer {
  readonly request: CheckRequest
  /** Undefined when the body is not JSON. */
  readonly json: JsonValue | undefined
}

type Others = Partial<Pick<CheckRequest, 'key' | 'headers'>>

export function get(target: string, others: Others = {}): CheckRequest {
  return { method: 'GET', target, key: 'valid', headers: {}, body: undefined, ...others }
}

export function post(body: string | undefined, others: Others = {}): CheckRequest {
  const headers: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' }
  return { method: 'POST', target: '/pets', key: 'valid', headers, body, ...others }
}

export function seenAs(request: CheckRequest, answer: WholeAnswer): Seen {
  const reading = readJson(answer.text)
  return { ...answer, request, json: 'value' in reading ? reading.value : undefined }
}

/** The animals of a list, as far as they are objects. */
export function petsOf({ json }: Seen): readonly JsonObject[] {
  return Array.isArray(json) ? json.filter(isJsonObject) : []
}

export function petOf({ json }: Seen): JsonObject | undefined {
  return isJsonObject(json) ? json : undefined
}

/** Whether the key under test is shown. */
export function showsKey({ key }: Pick<CheckRequest, 'key'>): boolean {
  return key === 'valid' || key === 'valid, in lower case'
}

/** The Authorization header, if there is to be one. */
export function authorizationOf({ key }: Pick<CheckRequest, 'key'>, text: string): string | undefined {
  if (key === 'none') return undefined
  if (typeof key === 'object') return key.authorization
  return `${key === 'valid' ? 'Bearer' : 'bearer'} ${text}`
}

/** How much there is to read of a request: of several that show the same, the smallest is shown. */
export function sizeOf({ method, target, headers, body = '' }: CheckRequest): number {
  return method.length + target.length + JSON.stringify(headers).length + body.length
}

/** A line for a shell that makes the request again; the key stands in the variable KEY. */
export function curlOf({ method, target, key, headers, body }: CheckRequest, base: string): string {
  const parts = ['curl -i']
  if (method === 'HEAD') parts.push('--head')
  else if (method !== 'GET') parts.push(`-X ${method}`)
  const authorization = authorizationOf({ key }, '$KEY')
  if (authorization !== undefined)
    parts.push(
      '-H',
      showsKey({ key }) ? `"Authorization: ${authorization}"` : quote(`Authorization: ${authorization}`),
    )
  for (const [name, value] of Object.entries(headers)) parts.push('-H', quote(`${name}: ${value}`))
  if (body !== undefined) parts.push('--data-raw', quote(body))
  return [...parts, quote(`${base}${target}`)].join(' ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
