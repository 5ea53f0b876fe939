import { escapeInJson, escapeInvisible } from '../../base/text/invisible.ts'
import { type Finding, furtherCalls, gradeName, gradeOf, grades, whereabouts } from './finding.ts'
import { writeHtml } from './html.ts'
import { writeJUnit } from './junit.ts'
import {
  countFindings,
  headFacts,
  marks,
  type Part,
  type ReportExtension,
  type ReportHead,
  type SectionedReport,
  type Table,
} from './report.ts'
import { shownFindings } from './unjudged.ts'

export function writeReport(
  extension: ReportExtension,
  reports: readonly SectionedReport[],
  fails: (finding: Finding) => boolean,
  head?: ReportHead,
): string {
  switch (extension) {
    case '.json':
      return writeJson({ failed: isFailed(reports, fails), ...(head && { head }), reports })
    case '.xml':
      return writeJUnit(reports, fails)
    case '.md':
      return writeMarkdown(reports, head)
    case '.html':
      return writeHtml(reports, isFailed(reports, fails), head)
  }
}

/** JSON for people, too: indented, with invisible characters escaped. */
export function writeJson(value: object): string {
  return `${escapeInJson(JSON.stringify(value, undefined, 2))}\n`
}

export function isFailed(reports: readonly SectionedReport[], fails: (finding: Finding) => boolean): boolean {
  return reports.some(report => shownFindings(report).some(fails))
}

/** GitHub drops a summary of more than 1 MiB. Several steps may share one. */
const mostBytes = 900_000

/** Reports as GitHub's Markdown for the summary of a job. Every character of a call is escaped. What does not fit is left out at the end. */
export function writeMarkdown(reports: readonly SectionedReport[], head?: ReportHead): string {
  const facts =
    head === undefined ? [] : headFacts(head).map(({ name, value }) => `${name}: ${escapeMarkdown(value)}`)
  return bound([...reports.flatMap(sections), ...(facts.length === 0 ? [] : [[facts.join(' · '), '']])])
}

type Lines = readonly string[]

function sections(report: SectionedReport): readonly Lines[] {
  const { title, summary, facts, notes, tables = [], parts = [] } = report
  const findings = shownFindings(report)
  const rows = facts.map(({ name, value }) => markdownRow([name, value]))
  return [
    [
      `## ${escapeMarkdown(title)}: ${escapeMarkdown(summary ?? countFindings(findings))}`,
      '',
      ...notes.flatMap(note => [`> ${escapeMarkdown(note)}`, '']),
    ],
    ...tables.flatMap(tableSections),
    ...findings.map(finding => markdownFinding(finding, parts.length > 0 ? 'Situation' : 'Call')),
    rows.length === 0 ? [] : ['| | |', '| --- | --- |', ...rows, ''],
    ...parts.filter(({ isFailing }) => isFailing).map(outputOf),
  ]
}

function tableSections({ about = '', heads, rows, lines }: Table): readonly Lines[] {
  const signs = rows.map(({ cells }) => cells.flatMap(({ mark }) => (mark ? [marks[mark][1]] : [])))
  const isMarked = signs.some(({ length }) => length > 0)
  const names = [...(isMarked ? [''] : []), ...heads]
  return [
    about === '' ? [] : [escapeMarkdown(about), ''],
    rows.length === 0 ? [] : [markdownRow(names), `|${' --- |'.repeat(names.length)}`],
    ...rows.map(({ name, cells }, at) => [
      markdownRow([...(signs[at] ?? []), name, ...cells.map(({ text }) => text)]),
    ]),
    ['', ...lines.flatMap(line => [escapeMarkdown(line), ''])],
  ]
}

/** The last lines of an output. The HTML report has more. */
const mostOutput = 4_000

function outputOf({ name, output }: Part): Lines {
  if (output.trim() === '') return []
  const lines = output.slice(-mostOutput).split('\n').map(escapeInvisible)
  const start = `<details><summary>Output in ${escapeMarkdown(name)}</summary>`
  return [start, '', ...codeBlock(lines.join('\n')), '', '</details>', '']
}

/** The first sections that fit. */
function bound(all: readonly Lines[]): string {
  const texts = all.filter(({ length }) => length > 0).map(lines => lines.join('\n'))
  const encoder = new TextEncoder()
  let left = mostBytes
  const end = texts.findIndex(text => {
    left -= encoder.encode(text).length + 1
    return left < 0
  })
  const rest = ['', 'The rest does not fit into a summary. For the whole report, add --report report.html.']
  return (end === -1 ? texts : [...texts.slice(0, end), ...rest]).join('\n')
}

/** A finding with its calls. `calls`: the heading of the column of calls. */
function markdownFinding(finding: Finding, calls = 'Call'): readonly string[] {
  const { id, title, remedy, source, evidence } = finding
  const grade = gradeOf(finding)
  const further = furtherCalls(finding)
  const isPlaced = evidence.some(call => whereabouts(call) !== '')
  const cellsOf = (what: string, detail: string, where: string) =>
    markdownRow(isPlaced ? [what, detail, where] : [what, detail])
  const rows = evidence.map(call => cellsOf(call.what, call.detail, whereabouts(call)))
  const curls = evidence.flatMap(({ curl }) => curl ?? [])
  return [
    `### ${grades[grade].sign} ${gradeName(finding)}: ${id}`,
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

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.map(escapeMarkdown).join(' | ')} |`
}

function codeBlock(text: string, language = ''): readonly string[] {
  return [`${fence(text)}${language}`, text, fence(text)]
}

function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  return '`'.repeat(longest + 1)
}

/** Every character of a call is escaped. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').replace(/[\\`*_{}[\]<>()#+!|~&@$]/g, '\\$&')
}
