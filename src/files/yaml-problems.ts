import type { Document, ErrorCode } from 'yaml'
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
export function syntaxProblems(document: Document.Parsed): readonly Flaw[] {
  const flaws = new Map<number, Flaw>()
  for (const { code, message, pos } of [...document.errors, ...document.warnings]) {
    const words = unclosed(message) ?? plainWords[code] ?? message.charAt(0).toLowerCase() + message.slice(1)
    if (!flaws.has(pos[0])) flaws.set(pos[0], { offset: pos[0], message: words })
  }
  return [...flaws.values()].sort((a, b) => a.offset - b.offset)
}

function unclosed(message: string): string | undefined {
  const closing = /(?:end with a |missing closing "?)(\S+)$/i.exec(message)?.[1]
  return closing === undefined ? undefined : `the closing ${closing} is missing`
}
