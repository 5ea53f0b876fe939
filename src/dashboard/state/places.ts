import { signal } from '@preact/signals'
import { type Place, readPlace, writePlace } from './place.ts'

/** Keeps the place in the URL, so that a reload, a bookmark and the history lead back. */
export function createPlaces(window: Window) {
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
    /** The link to a part. It keeps the sandbox. */
    linkTo: (part: string, rest: readonly string[] = [], query: Place['query'] = {}) =>
      writePlace({ part, rest, query: { ...kept(), ...query } }),
    goTo: (place: Partial<Place>) => {
      window.location.hash = writePlace({ ...at.value, ...place })
    },
    /** Changes filters without a new entry in the history. An empty text removes one. */
    filter: (query: Place['query']) => {
      at.value = { ...at.value, query: { ...at.value.query, ...query } }
      window.history.replaceState(null, '', writePlace(at.value))
    },
  }
}
