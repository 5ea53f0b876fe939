import type { Tool } from '../src/cli/commands/mcp/tool.ts'
import { table } from './table.ts'

const begin = '<!-- The tools, printed from their declarations by npm run generate. -->'
const end = '<!-- End of the tools. -->'

/** The page with its table of the tools of `pet-mock mcp` printed anew. */
export function withToolsTable(page: string, tools: readonly Tool[]): string {
  const [before, rest = ''] = page.split(begin)
  const [, after] = rest.split(end)
  if (before === undefined || after === undefined) throw new Error('The page has no place for the tools')
  return `${before}${begin}\n\n${table(['tool', 'what it does', 'fields'], tools.map(row))}\n\n${end}${after}`
}

function row({ name, about, hints, fields }: Tool): readonly string[] {
  const [sentence = ''] = about.split(/(?<=\.) /)
  const names = Object.keys(fields).map(field => `\`${field}\``)
  return [`\`${name}\``, `${hints.readOnlyHint ? '' : '**Changes.** '}${sentence}`, names.join(' ')]
}
