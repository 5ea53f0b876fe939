import { decodePercent } from '../../base/percent.ts'

/** Where the page is: `#/requests/17?status=4xx` is the part `requests`, the rest `17`, and one filter. */
export interface Place {
  readonly part: string
  readonly rest: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

export function readPlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s)
  // A URL that somebody typed may hold a lone %.
  const words = path.split('/').filter(Boolean)
  const [part = '', ...rest] = words.map(word => decodePercent(word) ?? word)
  return { part, rest, query: Object.fromEntries(new URLSearchParams(query)) }
}

/** The sandbox of a place that names none is the default one. */
export function writePlace({ part, rest, query }: Place): string {
  const path = [part, ...rest].map(encodeURIComponent).join('/')
  const filled = Object.entries(query).filter(
    ([name, value]) => value !== '' && (name !== 'sandbox' || value !== 'default'),
  )
  const text = new URLSearchParams(filled).toString()
  return `#/${path}${text === '' ? '' : `?${text}`}`
}
