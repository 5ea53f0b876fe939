import { CST, type Document, type ErrorCode, type Scalar, visit, type YAMLError } from 'yaml'
import { clip } from '../../service/call/echo.ts'

/** A mistake at an offset of the text. */
export interface Flaw {
  readonly offset: number
  readonly message: string
}

export const secondDocument = 'a file holds one document, but a second one begins here'

/** Plain words for errors that the library phrases in terms of YAML's grammar. */
const plainWords: Partial<Record<ErrorCode, string>> = {
  TAB_AS_INDENT: 'this line is indented with a tab: use spaces',
  BLOCK_AS_IMPLICIT_KEY: 'a second ":" on this line: start a new line, or put the text in quotes',
  MULTILINE_IMPLICIT_KEY: 'expected "name: value", but there is no ":"',
  NON_STRING_KEY: 'the name of a field must be text, not a list or a map',
  MULTIPLE_DOCS: secondDocument,
  TAG_RESOLVE_FAILED: 'tags such as !this are not supported: remove it',
}

/** Every syntax error of a document in the order of the text, and only the first at each offset. */
export function syntaxProblems(
  document: Document.Parsed,
  text: string,
  tokens: readonly CST.Token[],
): readonly Flaw[] {
  const found = [...document.errors, ...document.warnings]
  const flaws = new Map<number, Flaw>()
  for (const { code, message, pos } of found) {
    const [offset] = pos
    if (flaws.has(offset)) continue
    const moved =
      (code === 'MISSING_CHAR' && openQuote(document, offset)) ||
      (unclosed(message) && openBracket(tokens, offset)) ||
      (code === 'BLOCK_AS_IMPLICIT_KEY' && indentedTooFar(found, offset, text))
    const words = unclosed(message) ?? plainWords[code] ?? inSentence(message)
    flaws.set(offset, moved || { offset, message: words })
  }
  return [...flaws.values()].sort((a, b) => a.offset - b.offset)
}

/** Some of the library's messages repeat what stands there, however long it is. */
function inSentence(message: string): string {
  return clip(message.charAt(0).toLowerCase() + message.slice(1), 200)
}

/** A quote that is never closed reaches to the end of the text, so report where it opens. */
function openQuote(document: Document.Parsed, end: number): Flaw | undefined {
  let last: Scalar | undefined
  visit(document, {
    Scalar: (_key, node) => {
      if (node.type?.startsWith('QUOTE') && node.range && node.range[0] < end && node.range[1] >= end)
        last = node
    },
  })
  const offset = last?.range?.[0]
  return offset === undefined ? undefined : { offset, message: 'this quote is never closed' }
}

/** A list or map in brackets that is never closed reaches to the end of the text, so report where the last one opens. */
function openBracket(tokens: readonly CST.Token[], end: number): Flaw | undefined {
  let last: Flaw | undefined
  const look = (token: CST.Token | null | undefined): void => {
    if (token?.type === 'document') look(token.value)
    if (!CST.isCollection(token)) return
    if (token.type === 'flow-collection' && token.offset < end && !isClosed(token))
      last = { offset: token.start.offset, message: `this ${token.start.source} is never closed` }
    for (const { key, value } of token.items) {
      look(key)
      look(value)
    }
  }
  for (const token of tokens) look(token)
  return last
}

/** For the parser, any bracket closes any other one. */
function isClosed({ start, end }: CST.FlowCollection): boolean {
  const closing = start.type === 'flow-map-start' ? 'flow-map-end' : 'flow-seq-end'
  return end.some(({ type }) => type === closing)
}

/** A line that is indented too far continues the text above it, until its ":" makes that an error. */
function indentedTooFar(found: readonly YAMLError[], start: number, text: string): Flaw | undefined {
  const name = found.find(({ code, pos }) => code === 'MULTILINE_IMPLICIT_KEY' && pos[0] === start)
  if (name === undefined) return undefined
  const offset = text.slice(0, name.pos[1]).search(/\S[^\n\r]*$/)
  return { offset, message: 'this line is indented too far: YAML reads it as part of the line above' }
}

function unclosed(message: string): string | undefined {
  const closing = /(?:end with a |missing closing "?)(\S+)$/i.exec(message)?.[1]
  return closing === undefined ? undefined : `the closing ${closing} is missing`
}
