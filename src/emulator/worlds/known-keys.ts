import type { Sandboxes } from './sandboxes.ts'

/** Whether a text is a key of any sandbox: a client may send the key of another one. The set is made anew after changes. */
export function createKnownKeys(sandboxes: Sandboxes): { readonly has: (text: string) => boolean } {
  let keys: ReadonlySet<string> = new Set()
  let madeAt = -1
  return {
    has: text => {
      if (madeAt !== sandboxes.changes) {
        madeAt = sandboxes.changes
        keys = new Set([...sandboxes].flatMap(world => [...world.keys.keys()]))
      }
      return keys.has(text)
    },
  }
}
