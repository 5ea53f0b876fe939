import { shellQuote } from '../../base/text/shell-quote.ts'

export interface CheckRequest {
  readonly method: string
  /** Path and query below the base URL: `/pets?limit=5`. */
  readonly target: string
  /** The Authorization header: with the key under test, none, or another one. */
  readonly key: 'valid' | 'valid, in lower case' | 'none' | { readonly authorization: string }
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

type Others = Partial<Pick<CheckRequest, 'key' | 'headers'>>

export function get(target: string, others: Others = {}): CheckRequest {
  return { method: 'GET', target, key: 'valid', headers: {}, body: undefined, ...others }
}

export function post(body: string, others: Others = {}): CheckRequest {
  const headers = { 'Content-Type': 'application/json' }
  return { method: 'POST', target: '/pets', key: 'valid', headers, body, ...others }
}

/** Whether the request carries the key under test. */
export function hasKey({ key }: Pick<CheckRequest, 'key'>): boolean {
  return key === 'valid' || key === 'valid, in lower case'
}

export function authorizationOf({ key }: Pick<CheckRequest, 'key'>, text: string): string | undefined {
  if (key === 'none') return undefined
  if (typeof key === 'object') return key.authorization
  return `${key === 'valid' ? 'Bearer' : 'bearer'} ${text}`
}

/** The length of a request. Of several requests that show a failure, the report has the smallest. */
export function sizeOf({ method, target, headers, body = '' }: CheckRequest): number {
  return method.length + target.length + JSON.stringify(headers).length + body.length
}

/** A shell command that repeats the request. The key is in the variable KEY. */
export function curlOf({ method, target, key, headers, body }: CheckRequest, base: string): string {
  const parts = ['curl -i']
  if (method === 'HEAD') parts.push('--head')
  else if (method !== 'GET') parts.push(`-X ${method}`)
  const authorization = authorizationOf({ key }, '$KEY')
  if (authorization !== undefined) {
    const line = `Authorization: ${authorization}`
    parts.push('-H', hasKey({ key }) ? `"${line}"` : shellQuote(line))
  }
  for (const [name, value] of Object.entries(headers)) parts.push('-H', shellQuote(`${name}: ${value}`))
  if (body !== undefined) parts.push('--data-raw', shellQuote(body))
  return [...parts, shellQuote(`${base}${target}`)].join(' ')
}
