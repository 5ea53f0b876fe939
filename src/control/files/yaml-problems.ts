import { CST, type Document, type ErrorCode, visit } from 'yaml'
import { clip } from '../../service/call/echo.ts'

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
  if (found.length === 0) return []
  const flaws = new Map<number, Flaw>()
  // A file may have thousands of errors, so each list is made once.
  const quotes = quotesOf(document)
  const brackets = openBrackets(tokens)
  // The end of each key of several lines, by its start.
  const multiline = found.filter(({ code }) => code === 'MULTILINE_IMPLICIT_KEY')
  const keys = new Map(multiline.map(({ pos }) => pos))
  for (const { code, message, pos } of found) {
    const [offset] = pos
    if (flaws.has(offset)) continue
    const moved =
      (code === 'MISSING_CHAR' && openQuote(quotes, offset)) ||
      (unclosed(message) && lastBefore(brackets, offset)) ||
      (code === 'BLOCK_AS_IMPLICIT_KEY' && indentedTooFar(keys.get(offset), text))
    // Some of the library's messages repeat what stands there, however long it is.
    const inSentence = clip(message.charAt(0).toLowerCase() + message.slice(1), 200)
    const words = unclosed(message) ?? plainWords[code] ?? inSentence
    flaws.set(offset, moved || { offset, message: words })
  }
  return [...flaws.values()].sort((a, b) => a.offset - b.offset)
}

/** The last item that begins before `end`, of items in the order of the text. */
function lastBefore<T extends { readonly offset: number }>(items: readonly T[], end: number): T | undefined {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle]?.offset ?? end) < end) low = middle + 1
    else high = middle
  }
  return items[low - 1]
}

interface Quote {
  readonly offset: number
  readonly end: number
}

function quotesOf(document: Document.Parsed): readonly Quote[] {
  const quotes: Quote[] = []
  visit(document, {
    Scalar: (_key, { type, range }) => {
      if (type?.startsWith('QUOTE') && range) quotes.push({ offset: range[0], end: range[1] })
    },
  })
  return quotes
}

/** A quote that is never closed reaches to the end of the text, so report where it opens. */
function openQuote(quotes: readonly Quote[], end: number): Flaw | undefined {
  const last = lastBefore(quotes, end)
  if (last === undefined || last.end < end) return undefined
  return { offset: last.offset, message: 'this quote is never closed' }
}

/** A list or map in brackets that is never closed reaches to the end of the text, so report where the last one opens. */
function openBrackets(tokens: readonly CST.Token[]): readonly Flaw[] {
  const open: Flaw[] = []
  const look = (token: CST.Token | null | undefined): void => {
    if (token?.type === 'document') look(token.value)
    if (!CST.isCollection(token)) return
    if (token.type === 'flow-collection' && !isClosed(token))
      open.push({ offset: token.start.offset, message: `this ${token.start.source} is never closed` })
    for (const { key, value } of token.items) {
      look(key)
      look(value)
    }
  }
  for (const token of tokens) look(token)
  return open
}

/** For the parser, any bracket closes any other one. */
function isClosed({ start, end }: CST.FlowCollection): boolean {
  const closing = start.type === 'flow-map-start' ? 'flow-map-end' : 'flow-seq-end'
  return end.some(({ type }) => type === closing)
}

/** A line that is indented too far continues the text above it, until its ":" makes that an error. */
function indentedTooFar(end: number | undefined, text: string): Flaw | undefined {
  if (end === undefined) return undefined
  let start = end
  while (start > 0 && !/[\n\r]/.test(text.charAt(start - 1))) start -= 1
  const offset = start + Math.max(0, text.slice(start, end).search(/\S/))
  return { offset, message: 'this line is indented too far: YAML reads it as part of the line above' }
}

function unclosed(message: string): string | undefined {
  const closing = /(?:end with a |missing closing "?)(\S+)$/i.exec(message)?.[1]
  return closing === undefined ? undefined : `the closing ${closing} is missing`
}
