import { expect, test } from 'vitest'
import { titleOfInstances } from '../../../src/judges/report/finding.ts'
import { escapeMarkup } from '../../../src/judges/report/markup.ts'
import type { SectionedReport } from '../../../src/judges/report/report.ts'
import { isFailed, writeMarkdown, writeReport } from '../../../src/judges/report/write-report.ts'
import { reportOfAll } from '../../support/reports.ts'

test('characters of markup are escaped', () => {
  expect(escapeMarkup(`a & <b c="d" e='f'>`)).toBe('a &amp; &lt;b c=&quot;d&quot; e=&#39;f&#39;&gt;')
})

test('Markdown without reports and without a head is empty', () => {
  expect(writeMarkdown([])).toBe('')
})

const [found] = reportOfAll().findings
const empty: SectionedReport = { ...reportOfAll(), checks: [], findings: [], unjudged: [] }

test.each<[instances: readonly number[] | undefined, title: string]>([
  [undefined, 'It is wrong.'],
  [[], 'It is wrong.'],
  [[7], 'Instance 7: It is wrong.'],
  [[2, 7, 9], 'Instances 2, 7, 9: It is wrong.'],
])('the title of a finding of the instances %j is %s', (instances, title) => {
  if (found === undefined) throw new Error('There is no finding.')
  expect(titleOfInstances({ ...found, title: 'It is wrong.', ...(instances && { instances }) })).toBe(title)
})

test('one report with a failure fails all of them, and none fails without one', () => {
  const all = [empty, reportOfAll(), empty]
  expect(isFailed(all, () => true)).toBe(true)
  expect(isFailed(all, () => false)).toBe(false)
  expect(isFailed([empty], () => true)).toBe(false)
})

test('HTML: a report without checks has no list of them', () => {
  expect(writeReport('.html', [reportOfAll()], () => false)).toMatch(
    /<h2>[\w ]+ \(\d+\)<\/h2>\n<ul class="checks/,
  )
  expect(writeReport('.html', [empty], () => false)).not.toMatch(/<h2>[\w ]+ \(\d+\)|<ul class="checks/)
})

test('Markdown: a table whose cells have no mark has no column for marks', () => {
  const cells = [{ text: '100 %', isWrong: false }]
  const table = {
    title: 'Policies',
    heads: ['Policy', 'Served'],
    rows: [{ name: 'pause', cells }],
    lines: [],
  }
  // Only an empty line stands before it.
  expect(writeMarkdown([{ ...empty, notes: [], facts: [], tables: [table] }])).toMatch(/^## .*\n\n\| Policy/)
  expect(writeMarkdown([{ ...empty, tables: [table] }])).toContain(
    ['| Policy | Served |', '| --- | --- |', '| pause | 100 % |'].join('\n'),
  )
})
