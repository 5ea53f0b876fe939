import { type ReadonlySignal, signal } from '@preact/signals'
import { type Place, readPlace, writePlace } from './place.ts'

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
