import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml'
import { toInt64 } from '../../base/json/int64.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { clip } from '../../service/call/echo.ts'
import { showValue } from './show.ts'
import type { Flaw } from './yaml.ts'

/** The node that each alias stands for. */
export type AliasTargets = ReadonlyMap<Alias, Node>

interface NodeReading {
  readonly value: JsonValue
  readonly flaws: readonly Flaw[]
  readonly targets: AliasTargets
}

/**
 * Enough for any file that a person writes, and far from what a bomb of aliases comes to. A hundred characters of text
 * count as one value more.
 */
const maxAliasedNodes = 10_000

/**
 * A node's value, with what the grammar allows and we do not: a field given twice, an alias that is unknown or
 * holds itself, values that no JSON has. By hand and not by the library's own `toJS`, which looks each alias up
 * by a walk through the whole document, and each new key by a walk through its map.
 */
export function readNode(root: Node | null): NodeReading {
  const flaws: Flaw[] = []
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  const open = new Set<Node>()
  let aliased = 0
  let outermost: Alias | undefined
  let told = false
  const flaw = (node: Node, message: string): null => {
    flaws.push({ offset: node.range?.[0] ?? 0, message })
    return null
  }

  function read(node: unknown, throughAlias: boolean): JsonValue {
    if (isAlias(node)) return readAlias(node, throughAlias)
    if (isScalar(node)) {
      anchor(node, throughAlias)
      const value = plain(node.value)
      if (throughAlias) aliased += 1 + Math.floor(`${value}`.length / 100)
      return value === undefined ? flaw(node, whyNoValue(node)) : value
    }
    if (!isMap(node) && !isSeq(node)) return null
    anchor(node, throughAlias)
    if (throughAlias) aliased += node.items.length + 1
    open.add(node)
    const value = isMap(node) ? readMap(node, throughAlias) : node.items.map(item => read(item, throughAlias))
    open.delete(node)
    return value
  }

  function readAlias(alias: Alias, throughAlias: boolean): JsonValue {
    const target = targets.get(alias) ?? anchors.get(alias.source)
    if (target === undefined) return flaw(alias, `no anchor &${alias.source} stands before this alias`)
    if (open.has(target)) return flaw(alias, `the alias *${alias.source} stands inside of what it stands for`)
    targets.set(alias, target)
    if (!throughAlias) outermost = alias
    if (aliased > maxAliasedNodes) {
      // Said once: thousands of aliases may follow.
      if (!told)
        flaw(outermost ?? alias, `the aliases up to here stand for more than ${maxAliasedNodes} values`)
      told = true
      return null
    }
    return read(target, true)
  }

  function readMap(map: YAMLMap, throughAlias: boolean): JsonValue {
    const fields = new Map<string, JsonValue>()
    for (const { key, value } of map.items as Pair<Node, Node | null>[]) {
      const name = isScalar(key) ? String(key.value ?? '') : ''
      if (name === '__proto__') flaw(key, '__proto__ cannot be the name of a field')
      else if (name === '<<' && isScalar(key) && key.type === 'PLAIN') flaw(key, noMerge)
      else if (fields.has(name)) flaw(key, `the field ${showValue(name)} is given twice`)
      else fields.set(name, read(value, throughAlias))
    }
    return Object.fromEntries(fields)
  }

  function anchor(node: Node & { anchor?: string }, throughAlias: boolean): void {
    if (node.anchor !== undefined && !throughAlias) anchors.set(node.anchor, node)
  }

  return { value: read(root, false), flaws, targets }
}

/** Of YAML 1.1, and not of 1.2; as a field of that name it would be found to be unknown, which helps nobody. */
const noMerge = 'maps are not merged by << here: write the fields out, or let the scenario extend another'

function whyNoValue({ value, source = '' }: Scalar): string {
  return /\d/.test(source)
    ? `the number ${clip(source, 40)} is too large: the largest is about 1.8e308`
    : `${showValue(value)} is not a value that JSON has`
}

/** Integers are exact: a number up to 2^53, a bigint beyond, and beyond 64 bits whatever digits there are. */
function plain(value: unknown): JsonValue | undefined {
  if (typeof value === 'bigint') return toInt64(value) ?? value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  return value === null || typeof value === 'string' || typeof value === 'boolean' ? value : undefined
}
