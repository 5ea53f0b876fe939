import { shellQuote } from '../../base/text/shell-quote.ts'

export interface CheckRequest {
  readonly method: string
  /** Path and query below the base URL: `/pets?limit=5`. */
  readonly target: string
  /** The Authorization header: with the key under test, none, or another one. */
  readonly key:
    | 'valid'
    | 'valid, in lower case'
    | 'one more letter'
    | 'none'
    | { readonly authorization: string }
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** The target is a whole path, outside the base URL. Only a wrong link leads there. */
  readonly isOutside?: boolean
}

type Others = Partial<Pick<CheckRequest, 'key' | 'headers'>>

export function get(target: string, others: Others = {}): CheckRequest {
  return { method: 'GET', target, key: 'valid', headers: {}, body: undefined, ...others }
}

export function post(body: string, others: Others = {}): CheckRequest {
  const headers = { 'Content-Type': 'application/json' }
  return { method: 'POST', target: '/pets', key: 'valid', headers, body, ...others }
}

export function hasKey({ key }: Pick<CheckRequest, 'key'>): boolean {
  return key === 'valid' || key === 'valid, in lower case'
}

export function authorizationOf({ key }: Pick<CheckRequest, 'key'>, text: string): string | undefined {
  if (key === 'none') return undefined
  if (typeof key === 'object') return key.authorization
  // What follows + may name a part of the service: pet-mock's sandboxes.
  if (key === 'one more letter') return `Bearer ${text.replace(/^[^+]*/, '$&x')}`
  return `${key === 'valid' ? 'Bearer' : 'bearer'} ${text}`
}

/** The length of a request. Of several requests that show a failure, the report has the smallest. */
export function sizeOf({ method, target, headers, body = '' }: CheckRequest): number {
  return method.length + target.length + JSON.stringify(headers).length + body.length
}

/** The path and query on the server. `basePath` has no slash at its end. */
export function targetOf({ target, isOutside }: CheckRequest, basePath: string): string {
  return isOutside ? target : `${basePath}${target}`
}

/** A shell command that repeats the request. The key is in the variable KEY. `mask` does not see a header that `check` generated. */
export function curlOf(request: CheckRequest, base: string, mask: (text: string) => string): string {
  const { method, target, key, headers, body, isOutside } = request
  const parts = ['curl -i']
  if (method === 'HEAD') parts.push('--head')
  else if (method !== 'GET') parts.push(`-X ${method}`)
  const authorization = key === 'one more letter' ? `Bearer \${KEY%%+*}x` : authorizationOf({ key }, '$KEY')
  if (authorization !== undefined) {
    const line = `Authorization: ${authorization}`
    parts.push('-H', typeof key === 'string' ? `"${line}"` : shellQuote(line))
  }
  const rest = Object.entries(headers).flatMap(([name, value]) => ['-H', shellQuote(`${name}: ${value}`)])
  if (body !== undefined) rest.push('--data-raw', shellQuote(body))
  const before = isOutside ? base.replace(/^(\w+:\/\/[^/]*).*$/, '$1') : base
  return `${parts.join(' ')} ${mask([...rest, shellQuote(before + target)].join(' '))}`
}

/** An operation, or another route. `/pets/17?x` is `GET /pets/{petId}`: one fault shows on every id. */
export function operationOf({ method, target }: Pick<CheckRequest, 'method' | 'target'>): string {
  const path = target.split('?')[0] ?? ''
  return `${method} ${path.startsWith('/pets/') ? '/pets/{petId}' : path}`
}
