import { evidenceLines } from './evidence.ts'
import type { Finding } from './finding.ts'
import { attributes, escapeMarkup } from './markup.ts'
import type { Report } from './report.ts'

/**
 * Reports as JUnit XML, as Jenkins' junit-10.xsd describes it: a suite for each report, a case for each check. A check
 * fails if one of its findings does; what else was found is told in the case's output.
 */
export function writeJUnit(reports: readonly Report[], fails: (finding: Finding) => boolean): string {
  const suites = reports.map(report => suite(report, fails))
  const totals = {
    tests: sum(suites.map(({ tests }) => tests)),
    failures: sum(suites.map(({ failures }) => failures)),
    errors: 0,
  }
  const lines = suites.flatMap(({ lines }) => lines)
  return `${['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites${attributes({ name: 'pet-mock', ...totals })}>`, ...lines, '</testsuites>'].join('\n')}\n`
}

function suite(report: Report, fails: (finding: Finding) => boolean) {
  const known = new Set(report.checks.map(({ id }) => id))
  const others = report.findings.filter(({ id }) => !known.has(id)).map(({ id }) => ({ id, title: id }))
  const checks = [
    ...report.checks,
    ...others.filter(({ id }, at) => others.findIndex(o => o.id === id) === at),
  ]
  const cases = checks.map(({ id, title }) => {
    const found = report.findings.filter(finding => finding.id === id)
    const failing = found.filter(fails)
    const content = [...failing.map(failure), ...output(found.filter(finding => !failing.includes(finding)))]
    const tag = `  <testcase${attributes({ name: `${id}: ${title}`, classname: `pet-mock.${report.judge}`, time: 0 })}`
    return {
      failed: failing.length > 0,
      lines: content.length === 0 ? [`${tag}/>`] : [`${tag}>`, ...content, '  </testcase>'],
    }
  })
  const failures = cases.filter(({ failed }) => failed).length
  const totals = { name: report.judge, tests: cases.length, failures, errors: 0, skipped: 0, time: 0 }
  const said = [...report.notes, ...report.facts.map(({ name, value }) => `${name}: ${value}`)]
  return {
    tests: cases.length,
    failures,
    lines: [
      `<testsuite${attributes(totals)}>`,
      ...cases.flatMap(({ lines }) => lines),
      ...(said.length === 0 ? [] : [`  <system-out>${escapeMarkup(said.join('\n'))}</system-out>`]),
      '</testsuite>',
    ],
  }
}

function failure(finding: Finding): string {
  return `    <failure${attributes({ message: finding.title, type: finding.severity })}>${escapeMarkup(tell(finding))}</failure>`
}

function output(findings: readonly Finding[]): readonly string[] {
  if (findings.length === 0) return []
  const texts = findings.map(finding => `${finding.severity}: ${finding.title}\n${tell(finding)}`)
  return [`    <system-out>${escapeMarkup(texts.join('\n\n'))}</system-out>`]
}

function tell(finding: Finding): string {
  return [...evidenceLines(finding), finding.remedy, `Source: ${finding.source}`].join('\n')
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
