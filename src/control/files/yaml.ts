import { Composer, CST, Lexer, LineCounter, Parser, type Document as YamlDocument } from 'yaml'
import { placeInText } from '../../base/json/scan.ts'
import { groupDigits } from '../../base/text/quantities.ts'
import { type Document, type Place, type Reading, refused } from './complaint.ts'
import type { Path } from './show.ts'
import { type Flaw, secondDocument, syntaxProblems } from './yaml-problems.ts'
import { findNode, ValueReader } from './yaml-values.ts'

const maxDepth = 64
const maxDigits = 400
const maxSyntaxErrors = 20

/** Reads one YAML document. Never throws. */
export function readYaml(file: string, text: string, maxTokens: number): Reading<Document> {
  const lines = new LineCounter()
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
const marks: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR])

/** Where a text has too many tokens, if it has. Counting them takes no memory; parsing them takes 150 bytes for each. */
function tokensBeyond(text: string, most: number): number | undefined {
  let count = 0
  let offset = 0
  for (const lexeme of new Lexer().lex(text)) {
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
function tokenize(text: string, lines: LineCounter): CST.Token[] | Flaw {
  const parser = new Parser(lines.addNewLine)
  const tokens: CST.Token[] = []
  let errors = 0
  let before = ''
  lines.addNewLine(0)
  for (const lexeme of new Lexer().lex(text)) {
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
function excess(lexeme: string, { stack }: Parser): string | undefined {
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

function compose(tokens: readonly CST.Token[], end: number): YamlDocument.Parsed | Flaw {
  const [document, second] = new Composer(options).compose(tokens, true, end)
  if (second !== undefined) return { offset: second.range[0], message: secondDocument }
  return document ?? { offset: 0, message: 'the file is empty' }
}
