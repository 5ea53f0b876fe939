import { decodePercent } from '../../base/percent.ts'

/** Where the page is: `#/requests/17?status=4xx` is the part `requests`, the rest `17`, and one filter. */
export interface Place {
  readonly part: string
  readonly rest: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

export function readPlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s)
  const [part = '', ...rest] = path.split('/').filter(Boolean).map(decodeTyped)
  return { part, rest, query: Object.fromEntries(new URLSearchParams(query)) }
}

export function writePlace({ part, rest, query }: Place): string {
  const path = [part, ...rest].map(encodeURIComponent).join('/')
  const filled = Object.entries(query).filter(([, value]) => value !== '')
  const text = new URLSearchParams(filled).toString()
  return `#/${path}${text === '' ? '' : `?${text}`}`
}

/** A URL that somebody typed may hold a lone %. */
function decodeTyped(text: string): string {
  return decodePercent(text) ?? text
}
