import { type ReadonlySignal, signal } from '@preact/signals'

/** Where the page is: `#/requests/17?status=4xx` is the part `requests`, the rest `17`, and one filter. */
export interface Place {
  readonly part: string
  readonly rest: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

export function readPlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s)
  const [part = '', ...rest] = path.split('/').filter(Boolean).map(decode)
  return { part, rest, query: Object.fromEntries(new URLSearchParams(query)) }
}

export function writePlace({ part, rest, query }: Place): string {
  const path = [part, ...rest].map(encodeURIComponent).join('/')
  const filled = Object.entries(query).filter(([, value]) => value !== '')
  const text = new URLSearchParams(filled).toString()
  return `#/${path}${text === '' ? '' : `?${text}`}`
}

/** A URL that somebody typed may hold a lone %. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export interface Places {
  readonly at: ReadonlySignal<Place>
  /** The link to a part. It keeps the sandbox. */
  readonly linkTo: (part: string, rest?: readonly string[], query?: Place['query']) => string
  readonly goTo: (place: Partial<Place>) => void
  /** Changes filters without a new entry in the history. An empty text removes one. */
  readonly filter: (query: Place['query']) => void
}

/** Keeps the place in the URL, so that a reload, a bookmark and the history lead back. */
export function createPlaces(window: Window): Places {
  const at = signal(readPlace(window.location.hash))
  window.addEventListener('hashchange', () => {
    at.value = readPlace(window.location.hash)
  })
  const kept = () => {
    const { sandbox } = at.value.query
    return sandbox === undefined ? {} : { sandbox }
  }
  return {
    at,
    linkTo: (part, rest = [], query = {}) => writePlace({ part, rest, query: { ...kept(), ...query } }),
    goTo: place => {
      window.location.hash = writePlace({ ...at.value, ...place })
    },
    filter: query => {
      at.value = { ...at.value, query: { ...at.value.query, ...query } }
      window.history.replaceState(null, '', writePlace(at.value))
    },
  }
}
