import { Composer, type CST, type Document, Lexer, LineCounter, Parser } from 'yaml'
import type { JsonValue } from '../../base/json/value.ts'
import type { Place } from './document.ts'
import type { Path } from './show.ts'
import { findNode } from './yaml-places.ts'
import { syntaxProblems } from './yaml-problems.ts'
import { readNode } from './yaml-values.ts'

/** Something wrong at an offset of the text. */
export interface Flaw {
  readonly offset: number
  readonly message: string
}

interface YamlReading {
  readonly value: JsonValue
  readonly problems: readonly (Place & { readonly message: string })[]
  locate(path: Path, part: 'key' | 'value'): Place
}

/** The most that a file may hold of each. A hostile file of 1 MiB could keep the library busy for ten seconds. */
const maxTokens = 100_000
const maxDepth = 64
const maxSyntaxErrors = 20

/** Reads one YAML document. Never throws, whatever the text. */
export function readYaml(text: string): YamlReading {
  const lines = new LineCounter()
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const fail = (flaws: readonly Flaw[]): YamlReading => ({
    value: null,
    problems: flaws.map(({ offset, message }) => ({ ...placeOf(offset), message })),
    locate: () => placeOf(0),
  })
  const tokens = tokenize(text, lines)
  if ('message' in tokens) return fail([tokens])
  const document = compose(tokens, text.length)
  if ('message' in document) return fail([document])
  const flaws = syntaxProblems(document, text).slice(0, maxSyntaxErrors)
  if (flaws.length > 0) return fail(flaws)
  const read = readNode(document.contents)
  if (read.flaws.length > 0) return fail(read.flaws)
  return {
    value: read.value,
    problems: [],
    locate: (path, part) => placeOf(findNode(document, read.targets, path, part)),
  }
}

const maxDigits = 400

/**
 * The library composes by recursion, and a stack that overflows inside a regular expression of V8's ends the whole
 * process, past every catch. So the depth is looked at first, on tokens, where nothing recurses.
 */
function tokenize(text: string, lines: LineCounter): CST.Token[] | Flaw {
  const parser = new Parser(lines.addNewLine)
  const tokens: CST.Token[] = []
  let lexemes = 0
  let errors = 0
  let before = ''
  lines.addNewLine(0)
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1
    // The composer makes an error of each, with a stack: a megabyte of commas would take it seconds.
    if (lexeme === ',' && before === ',') errors += 1
    if (lexeme.trim() !== '') before = lexeme
    if (lexemes > maxTokens)
      return { offset: parser.offset, message: `the file has more than ${maxTokens} tokens` }
    // The document is the lowest of the stack.
    if (parser.stack.length > maxDepth + 1) {
      return { offset: parser.offset, message: `maps and lists are nested more than ${maxDepth} deep` }
    }
    // Of digits without end a bigint would be made, which takes seconds.
    if (lexeme.length > maxDigits && /^[-+]?\d+$/.test(lexeme)) {
      return { offset: parser.offset, message: `a number has at most ${maxDigits} digits` }
    }
    for (const token of parser.next(lexeme)) {
      tokens.push(token)
      if (token.type === 'error') errors += 1
    }
    if (errors > maxSyntaxErrors) break
  }
  tokens.push(...parser.end())
  return tokens
}

const options = {
  schema: 'core',
  intAsBigInt: true,
  uniqueKeys: false,
  stringKeys: true,
  prettyErrors: false,
} as const

/** The first document, with a flaw in it when there is a second. */
function compose(tokens: readonly CST.Token[], end: number): Document.Parsed | Flaw {
  const [document, second] = new Composer(options).compose(tokens, true, end)
  if (second !== undefined)
    return { offset: second.range[0], message: 'a file holds one document, and here a second begins' }
  if (document === undefined) return { offset: 0, message: 'the file holds no document' }
  return document
}
