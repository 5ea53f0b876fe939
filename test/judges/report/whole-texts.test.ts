import { expect, test } from 'vitest'
import { drawFlight } from '../../../src/judges/report/draw-flight.ts'
import { defaultFailOn, failsOn } from '../../../src/judges/report/finding.ts'
import { writeShape } from '../../../src/judges/report/markup.ts'
import { writeReport } from '../../../src/judges/report/write-report.ts'
import { bodyOf, reportOfAll } from '../../support/reports.ts'
import { flights } from './flights-to-draw.ts'
import { drawn, legend, patterns } from './whole-flights.ts'
import { wholeHtml, wholeMarkdown, wholeXml } from './whole-report.ts'

const head = {
  writtenAt: Date.UTC(2026, 2, 2, 9),
  version: '1.2.3',
  command: 'pet-mock exec',
  scenario: 'ban',
}
const write = (extension: '.md' | '.html' | '.xml') =>
  writeReport(extension, [reportOfAll()], failsOn(defaultFailOn), head)

test('Markdown, as a whole', () => {
  expect(write('.md').split('\n')).toEqual(wholeMarkdown)
})

test('HTML, as a whole', () => {
  expect(bodyOf(write('.html'))).toEqual(wholeHtml)
})

test('JUnit, as a whole', () => {
  expect(write('.xml').split('\n')).toEqual(wholeXml)
})

test.each(Object.entries(flights))('the chart as a whole: %s', (name, flight) => {
  const lines = writeShape(drawFlight(flight, 'p')).replaceAll('><', '>\n<').split('\n')
  const from = lines.indexOf('<defs>')
  expect(lines[0]).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" class="flight" role="img" viewBox="0 0 960 372" aria-labelledby="p-title p-desc">',
  )
  expect(lines.slice(from)).toEqual([...patterns, ...drawn[name as keyof typeof drawn], ...legend])
})
