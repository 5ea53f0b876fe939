import * as yaml from 'yaml'
import { type Document, isAlias, isMap, isScalar, isSeq, type Node } from 'yaml'
import { toInt64 } from '../../base/json/int64.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { groupDigits } from '../../base/text/quantities.ts'
import { clip } from '../../service/call/echo.ts'
import { type Path, showValue } from './show.ts'
import type { Flaw } from './yaml-problems.ts'

/** The node that each alias refers to. */
export type AliasTargets = ReadonlyMap<yaml.Alias, yaml.Node>

/** Stops alias bombs. Every hundred characters of text count as one more value. */
const maxAliasedValues = 10_000

/**
 * Reads values, and rejects what YAML allows and JSON does not. The library's own `toJS` is not used: it searches the whole
 * document for each alias, and the whole map for each key.
 */
export class ValueReader {
  readonly flaws: Flaw[] = []
  readonly targets = new Map<yaml.Alias, yaml.Node>()
  readonly #anchors = new Map<string, yaml.Node>()
  readonly #open = new Set<yaml.Node>()
  /** The alias in the text whose target is being read. */
  #alias: yaml.Alias | undefined
  #aliasedValues = 0

  read(node: unknown): JsonValue {
    if (yaml.isAlias(node)) return this.#readAlias(node)
    if (yaml.isScalar(node)) {
      this.#addAnchor(node)
      const value = plain(node.value)
      this.#count(1 + Math.floor(`${value}`.length / 100))
      return value === undefined ? this.#reject(node, whyNoValue(node)) : value
    }
    if (!yaml.isMap(node) && !yaml.isSeq(node)) return null
    this.#addAnchor(node)
    this.#count(node.items.length + 1)
    this.#open.add(node)
    const value = yaml.isMap(node) ? this.#readMap(node) : node.items.map(item => this.read(item))
    this.#open.delete(node)
    return value
  }

  #readAlias(alias: yaml.Alias): JsonValue {
    const target = this.targets.get(alias) ?? this.#anchors.get(alias.source)
    if (target === undefined)
      return this.#reject(alias, `unknown alias: define the anchor &${clip(alias.source)} above it`)
    if (this.#open.has(target)) return this.#reject(alias, `the alias *${clip(alias.source)} contains itself`)
    this.targets.set(alias, target)
    // Reported once, by #count.
    if (this.#aliasedValues > maxAliasedValues) return null
    if (this.#alias !== undefined) return this.read(target)
    this.#alias = alias
    const value = this.read(target)
    this.#alias = undefined
    return value
  }

  #readMap(map: yaml.YAMLMap): JsonValue {
    const fields = new Map<string, JsonValue>()
    for (const { key, value } of map.items as yaml.Pair<yaml.Node, yaml.Node | null>[]) {
      const name = yaml.isScalar(key) ? String(key.value ?? '') : ''
      if (name === '__proto__') this.#reject(key, 'a field cannot be named __proto__')
      else if (name === '<<' && yaml.isScalar(key) && key.type === 'PLAIN') this.#reject(key, noMerge)
      else if (fields.has(name)) this.#reject(key, `the field ${showValue(name)} is given twice`)
      else fields.set(name, this.read(value))
    }
    return Object.fromEntries(fields)
  }

  #addAnchor(node: yaml.Node & { anchor?: string }): void {
    if (node.anchor !== undefined && this.#alias === undefined) this.#anchors.set(node.anchor, node)
  }

  #count(values: number): void {
    if (this.#alias === undefined) return
    const isWithin = this.#aliasedValues <= maxAliasedValues
    this.#aliasedValues += values
    if (isWithin && this.#aliasedValues > maxAliasedValues)
      this.#reject(
        this.#alias,
        `the aliases up to here expand to more than ${groupDigits(maxAliasedValues)} values`,
      )
  }

  #reject(node: yaml.Node, message: string): null {
    this.flaws.push({ offset: node.range?.[0] ?? 0, message })
    return null
  }
}

/** A merge key of YAML 1.1, which YAML 1.2 reads as a field. */
const noMerge = 'merging with << is not supported: repeat the fields, or extend another scenario'

function whyNoValue({ value, source = '' }: yaml.Scalar): string {
  return /\d/.test(source)
    ? `the number ${clip(source, 40)} is too large: the largest is about 1.8e308`
    : `${showValue(value)} is not a JSON value`
}

/** A number up to 2^53, a bigint beyond. */
function plain(value: unknown): JsonValue | undefined {
  if (typeof value === 'bigint') return toInt64(value) ?? value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  return value === null || typeof value === 'string' || typeof value === 'boolean' ? value : undefined
}

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
