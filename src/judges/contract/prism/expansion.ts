import { isObject } from '../../../base/json/is-object.ts'

/** GitHub's own file of 13 MB has 2 million. */
const mostExpanded = 5_000_000

/** Why Prism would take too much memory for a document; undefined if it would not. */
export function explainExpansion(document: object): string | undefined {
  if (countExpanded(document, mostExpanded) <= mostExpanded) return undefined
  return 'the references expand to more than 5,000,000 values: let fewer schemas refer to each other, or leave out operations that you do not call'
}

/**
 * How many values a document has once each reference is replaced by its target, as Prism does; at most one more than
 * `most`. Schemas that refer to each other in many ways have billions, and Prism would never end.
 */
function countExpanded(document: object, most: number): number {
  const targets = new Map<string, unknown>()
  const open = new Set<unknown>()
  const targetOf = (ref: string): unknown => {
    if (!targets.has(ref)) targets.set(ref, resolve(document, ref))
    return targets.get(ref)
  }
  let count = 0
  const visit = (value: unknown): void => {
    count += 1
    if (count > most || typeof value !== 'object' || value === null) return
    // Where a circle closes, Prism keeps the reference.
    if (open.has(value)) return
    open.add(value)
    const ref = isObject(value) ? value.$ref : undefined
    if (typeof ref === 'string') visit(targetOf(ref))
    else for (const inner of Object.values(value)) if (count <= most) visit(inner)
    open.delete(value)
  }
  visit(document)
  return count
}

function resolve(document: object, ref: string): unknown {
  const names = decodeURI(ref.slice(1)).split('/').slice(1)
  return names.reduce<unknown>(
    (value, name) => (isObject(value) ? value[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    document,
  )
}
