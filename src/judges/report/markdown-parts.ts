import { escapeInvisible } from '../../base/text/invisible.ts'
import { type Finding, furtherCalls, type Grade, gradeName, gradeOf, whereabouts } from './finding.ts'

const signs: Readonly<Record<Grade, string>> = {
  error: '❌',
  warning: '⚠️',
  info: 'ℹ️',
  expected: '✅',
  unjudged: '❔',
}

/** A finding with its calls. `calls`: the heading of the column of calls. */
export function markdownFinding(finding: Finding, calls = 'Call'): readonly string[] {
  const { id, title, remedy, source, evidence } = finding
  const grade = gradeOf(finding)
  const further = furtherCalls(finding)
  const isPlaced = evidence.some(call => whereabouts(call) !== '')
  const cellsOf = (what: string, detail: string, where: string) =>
    markdownRow(isPlaced ? [what, detail, where] : [what, detail])
  const rows = evidence.map(call => cellsOf(call.what, call.detail, whereabouts(call)))
  const curls = evidence.flatMap(({ curl }) => curl ?? [])
  return [
    `### ${signs[grade]} ${gradeName(finding)}: ${id}`,
    '',
    escapeMarkdown(title),
    '',
    ...(rows.length === 0
      ? []
      : [cellsOf(calls, 'Details', 'Where'), `| --- | ---${isPlaced ? ' | ---' : ''} |`, ...rows, '']),
    ...(further > 0 ? [`and ${further} more`, ''] : []),
    ...curls.flatMap(curl => [...codeBlock(escapeInvisible(curl), 'sh'), '']),
    ...(grade === 'expected' ? [] : [`**What to do:** ${escapeMarkdown(remedy)}`, '']),
    `Source: ${escapeMarkdown(source)}`,
    '',
  ]
}

export function markdownRow(cells: readonly string[]): string {
  return `| ${cells.map(escapeMarkdown).join(' | ')} |`
}

/** A text as it is. */
export function codeBlock(text: string, language = ''): readonly string[] {
  return [`${fence(text)}${language}`, text, fence(text)]
}

/** A fence that is longer than any in the text. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  return '`'.repeat(longest + 1)
}

/** Every character of a call is escaped. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').replace(/[\\`*_{}[\]<>()#+!|~&@$]/g, '\\$&')
}
