import { type Document, type ErrorCode, type Scalar, visit, type YAMLError } from 'yaml'
import type { Flaw } from './yaml.ts'

/** The library's errors whose words are about YAML's grammar, said for people who write a small file. */
const plainWords: Partial<Record<ErrorCode, string>> = {
  TAB_AS_INDENT: 'YAML is indented with spaces, and here is a tab',
  BLOCK_AS_IMPLICIT_KEY: 'a second "name:" on one line: put it on a line of its own, or the text into quotes',
  MULTILINE_IMPLICIT_KEY: 'expected "name: value", and the ":" is missing',
  NON_STRING_KEY: 'the name of a field is text, not a list or a map',
  MULTIPLE_DOCS: 'a file holds one document, and here a second begins',
  TAG_RESOLVE_FAILED: 'tags such as !this are not read here',
}

/** Everything wrong with a document's syntax, in the order of the text; of several at one place, the first. */
export function syntaxProblems(document: Document.Parsed, text: string): readonly Flaw[] {
  const found = [...document.errors, ...document.warnings]
  const flaws = new Map<number, Flaw>()
  for (const { code, message, pos } of found) {
    const words = unclosed(message) ?? plainWords[code] ?? message.charAt(0).toLowerCase() + message.slice(1)
    const flaw = (code === 'MISSING_CHAR' ? openQuote(document, pos[0]) : undefined) ??
      (code === 'BLOCK_AS_IMPLICIT_KEY' ? indentedTooFar(found, pos[0], text) : undefined) ?? {
        offset: pos[0],
        message: words,
      }
    if (!flaws.has(pos[0])) flaws.set(pos[0], flaw)
  }
  return [...flaws.values()].sort((a, b) => a.offset - b.offset)
}

/** A quote that is never closed reaches to the end of the text: what helps is where it was opened. */
function openQuote(document: Document.Parsed, end: number): Flaw | undefined {
  let last: Scalar | undefined
  visit(document, {
    Scalar: (_key, node) => {
      if (node.type?.startsWith('QUOTE') && node.range && node.range[0] < end && node.range[1] >= end)
        last = node
    },
  })
  const offset = last?.range?.[0]
  return offset === undefined
    ? undefined
    : { offset, message: 'the quote that is opened here is never closed' }
}

/** A line that is indented deeper than it should be goes on with the text above, until its ":" shows that it is none. */
function indentedTooFar(found: readonly YAMLError[], start: number, text: string): Flaw | undefined {
  const name = found.find(({ code, pos }) => code === 'MULTILINE_IMPLICIT_KEY' && pos[0] === start)
  if (name === undefined) return undefined
  const line = text.slice(0, name.pos[1]).search(/\S[^\n\r]*$/)
  return {
    offset: line,
    message: 'this line is indented too far: it goes on with the text of the line above',
  }
}

function unclosed(message: string): string | undefined {
  const closing = /(?:end with a |missing closing "?)(\S+)$/i.exec(message)?.[1]
  return closing === undefined ? undefined : `the closing ${closing} is missing`
}
