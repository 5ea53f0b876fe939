import type { Body } from '../../plane/plane.ts'

export type NamedRule = Body<'addRule'> & { readonly name: string }

/** The rules that the reader turned off. The server has forgotten them; this tab keeps them for a run of the server. */
export interface OffRules {
  readonly all: () => readonly NamedRule[]
  readonly add: (rule: NamedRule) => void
  readonly remove: (name: string) => void
}

export function createOffRules(storage: Storage, of: string): OffRules {
  const place = `pet-mock rules off ${of}`
  const all = (): readonly NamedRule[] => JSON.parse(storage.getItem(place) ?? '[]')
  const remove = (name: string) =>
    storage.setItem(place, JSON.stringify(all().filter(rule => rule.name !== name)))
  return {
    all,
    remove,
    add: rule => {
      remove(rule.name)
      storage.setItem(place, JSON.stringify([...all(), rule]))
    },
  }
}
