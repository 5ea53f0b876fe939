import { type Document, isAlias, isMap, isScalar, isSeq, type Node } from 'yaml'
import type { Path } from './show.ts'
import type { AliasTargets } from './yaml-values.ts'

/** The offset of a path's value or key, or of its nearest existing parent. */
export function findNode(
  document: Document.Parsed,
  targets: AliasTargets,
  path: Path,
  part: 'key' | 'value',
): number {
  let node: unknown = document.contents
  let key: unknown
  for (const name of path) {
    const step = stepInto(isAlias(node) ? targets.get(node) : node, name)
    if (step === undefined) return offsetOf(key) ?? offsetOf(node) ?? 0
    key = step.key
    node = step.node
  }
  // A field without a value has no offset of its own.
  const [first, second] = part === 'key' ? [key, node] : [node, key]
  return offsetOf(first) ?? offsetOf(second) ?? 0
}

function stepInto(node: unknown, name: string | number) {
  if (isSeq(node) && typeof name === 'number' && name < node.items.length)
    return { key: node.items[name], node: node.items[name] }
  if (!isMap(node)) return undefined
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value ?? '') === String(name))
  return pair === undefined ? undefined : { key: pair.key, node: pair.value }
}

function offsetOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0]
}
