import type { Sandboxes } from './sandboxes.ts'

/**
 * Whether a text is a key of any sandbox: a client may send the key of another one. Making the set costs a step for each
 * key, and looking into each world one for each sandbox. After a change it looks, until that has cost as much as a new set:
 * each new sandbox is a change.
 */
export function createKnownKeys(sandboxes: Sandboxes): { readonly has: (text: string) => boolean } {
  let keys: ReadonlySet<string> = new Set()
  let madeAt = -1
  let spent = 0
  const isInAWorld = (text: string): boolean => {
    for (const world of sandboxes) {
      spent += 1
      if (world.keys.has(text)) return true
    }
    return false
  }
  return {
    has: text => {
      // A key that is gone stays masked until then.
      if (keys.has(text)) return true
      if (madeAt === sandboxes.changes) return false
      if (spent < keys.size) return isInAWorld(text)
      madeAt = sandboxes.changes
      spent = 0
      keys = new Set([...sandboxes].flatMap(world => [...world.keys.keys()]))
      return keys.has(text)
    },
  }
}
