import * as yaml from 'yaml'
import { toInt64 } from '../../base/json/int64.ts'
import { placeInText } from '../../base/json/scan.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { groupDigits } from '../../base/text/quantities.ts'
import { clip } from '../../service/call/echo.ts'
import { type Document, type Place, type Reading, refused } from './complaint.ts'
import { type Path, showValue } from './show.ts'
import { type Flaw, secondDocument, syntaxProblems } from './yaml-problems.ts'

const maxDepth = 64
const maxDigits = 400
const maxSyntaxErrors = 20

/** Reads one YAML document. Never throws. */
export function readYaml(file: string, text: string, maxTokens: number): Reading<Document> {
  const lines = new yaml.LineCounter()
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const fail = (...flaws: readonly Flaw[]) =>
    refused(...flaws.map(({ offset, message }) => ({ file, ...placeOf(offset), message })))
  const excess = tokensBeyond(text, maxTokens)
  const message = `the file has more than ${groupDigits(maxTokens)} tokens`
  if (excess !== undefined) return refused({ file, ...placeInText(text, excess), message })
  const tokens = tokenize(text, lines)
  if ('message' in tokens) return fail(tokens)
  const document = compose(tokens, text.length)
  if ('message' in document) return fail(document)
  const flaws = syntaxProblems(document, text, tokens).slice(0, maxSyntaxErrors)
  if (flaws.length > 0) return fail(...flaws)
  const reader = new ValueReader()
  const value = reader.read(document.contents)
  if (reader.flaws.length > 0) return fail(...reader.flaws)
  const locate = (path: Path, part: 'key' | 'value') =>
    placeOf(findNode(document, reader.targets, path, part))
  return { ok: true, value: { file, value, locate } }
}

/** Tokens that are not in the text: the start of a document, an error of flow, and the start of a scalar. */
const marks: ReadonlySet<string> = new Set([yaml.CST.DOCUMENT, yaml.CST.FLOW_END, yaml.CST.SCALAR])

/** Where a text has too many tokens, if it has. Counting them takes no memory; parsing them takes 150 bytes for each. */
function tokensBeyond(text: string, most: number): number | undefined {
  let count = 0
  let offset = 0
  for (const lexeme of new yaml.Lexer().lex(text)) {
    count += 1
    if (count > most) return offset
    if (!marks.has(lexeme)) offset += lexeme.length
  }
  return undefined
}

/**
 * The library composes recursively, and a stack overflow inside a regular expression of V8 ends the process without an
 * exception. So the depth is checked on tokens first, where nothing recurses.
 */
function tokenize(text: string, lines: yaml.LineCounter): yaml.CST.Token[] | Flaw {
  const parser = new yaml.Parser(lines.addNewLine)
  const tokens: yaml.CST.Token[] = []
  let errors = 0
  let before = ''
  lines.addNewLine(0)
  for (const lexeme of new yaml.Lexer().lex(text)) {
    // The composer creates an error with a stack for each: a megabyte of commas would take seconds.
    if (lexeme === ',' && before === ',') errors += 1
    if (lexeme.trim() !== '') before = lexeme
    const message = excess(lexeme, parser)
    if (message !== undefined) return { offset: parser.offset, message }
    for (const token of parser.next(lexeme)) {
      tokens.push(token)
      if (token.type === 'error') errors += 1
    }
    if (errors > maxSyntaxErrors) break
  }
  tokens.push(...parser.end())
  return tokens
}

/** The limit that a lexeme exceeds. */
function excess(lexeme: string, { stack }: yaml.Parser): string | undefined {
  // The bottom of the stack is the document, so it does not count.
  if (stack.length > maxDepth + 1) return `maps and lists are nested more than ${maxDepth} deep`
  // A bigint of a million digits takes seconds.
  if (lexeme.length > maxDigits && /^[-+]?\d+$/.test(lexeme))
    return `a number has more than ${maxDigits} digits`
  return undefined
}

const options = {
  schema: 'core',
  intAsBigInt: true,
  uniqueKeys: false,
  stringKeys: true,
  prettyErrors: false,
} as const

function compose(tokens: readonly yaml.CST.Token[], end: number): yaml.Document.Parsed | Flaw {
  const [document, second] = new yaml.Composer(options).compose(tokens, true, end)
  if (second !== undefined) return { offset: second.range[0], message: secondDocument }
  return document ?? { offset: 0, message: 'the file is empty' }
}

/** Stops alias bombs. Every hundred characters of text count as one more value. */
const maxAliasedValues = 10_000

/**
 * Reads values, and rejects what YAML allows and JSON does not. The library's own `toJS` is not used: it searches the whole
 * document for each alias, and the whole map for each key.
 */
class ValueReader {
  readonly flaws: Flaw[] = []
  /** The node that each alias refers to. */
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
function findNode(
  document: yaml.Document.Parsed,
  targets: ReadonlyMap<yaml.Alias, yaml.Node>,
  path: Path,
  part: 'key' | 'value',
): number {
  let node: unknown = document.contents
  let key: unknown
  for (const name of path) {
    const step = stepInto(yaml.isAlias(node) ? targets.get(node) : node, name)
    if (step === undefined) return offsetOf(key) ?? offsetOf(node) ?? 0
    key = step.key
    node = step.node
  }
  // A field without a value has no offset of its own.
  const [first, second] = part === 'key' ? [key, node] : [node, key]
  return offsetOf(first) ?? offsetOf(second) ?? 0
}

function stepInto(node: unknown, name: string | number) {
  if (yaml.isSeq(node) && typeof name === 'number' && name < node.items.length)
    return { key: node.items[name], node: node.items[name] }
  if (!yaml.isMap(node)) return undefined
  const pair = node.items.find(({ key }) => yaml.isScalar(key) && String(key.value ?? '') === String(name))
  return pair === undefined ? undefined : { key: pair.key, node: pair.value }
}

function offsetOf(node: unknown): number | undefined {
  return (node as yaml.Node | null | undefined)?.range?.[0]
}
