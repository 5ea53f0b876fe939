import { evidenceLines, type Finding, gradeOf } from './finding.ts'
import { attributes, escapeMarkup } from './markup.ts'
import type { Report } from './report.ts'

/**
 * Reports as JUnit XML, as Jenkins' junit-10.xsd describes it: a suite for each report, a case for each check. Findings that
 * do not fail the command are in the output of their case.
 */
export function writeJUnit(reports: readonly Report[], fails: (finding: Finding) => boolean): string {
  const suites = reports.map(report => suite(report, fails))
  const tests = suites.reduce((sum, suite) => sum + suite.tests, 0)
  const failures = suites.reduce((sum, suite) => sum + suite.failures, 0)
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'pet-mock', tests, failures, errors: 0 })}>`,
    ...suites.flatMap(({ lines }) => lines),
    '</testsuites>',
  ]
  return `${lines.join('\n')}\n`
}

function suite({ judge, checks, findings, notes, facts }: Report, fails: (finding: Finding) => boolean) {
  // A finding without a check gets a case too.
  const titles = new Map(checks.map(({ id, title }) => [id, title] as const))
  const ids = new Set([...checks, ...findings].map(({ id }) => id))
  const cases = Array.from(ids, id => {
    const found = findings.filter(finding => finding.id === id)
    const failing = found.filter(fails)
    const content = [...failing.map(failure), ...output(found.filter(finding => !failing.includes(finding)))]
    const tag = `  <testcase${attributes({ name: `${id}: ${titles.get(id) ?? id}`, classname: `pet-mock.${judge}`, time: 0 })}`
    return {
      failed: failing.length > 0,
      lines: content.length === 0 ? [`${tag}/>`] : [`${tag}>`, ...content, '  </testcase>'],
    }
  })
  const tests = cases.length
  const failures = cases.filter(({ failed }) => failed).length
  const text = [...notes, ...facts.map(({ name, value }) => `${name}: ${value}`)].join('\n')
  return {
    tests,
    failures,
    lines: [
      `<testsuite${attributes({ name: judge, tests, failures, errors: 0, skipped: 0, time: 0 })}>`,
      ...cases.flatMap(({ lines }) => lines),
      ...(text === '' ? [] : [`  <system-out>${escapeMarkup(text)}</system-out>`]),
      '</testsuite>',
    ],
  }
}

function failure(finding: Finding): string {
  return `    <failure${attributes({ message: finding.title, type: finding.severity })}>${escapeMarkup(describeFinding(finding))}</failure>`
}

function output(findings: readonly Finding[]): readonly string[] {
  if (findings.length === 0) return []
  const texts = findings.map(finding => `${gradeOf(finding)}: ${finding.title}\n${describeFinding(finding)}`)
  return [`    <system-out>${escapeMarkup(texts.join('\n\n'))}</system-out>`]
}

function describeFinding(finding: Finding): string {
  return [...evidenceLines(finding), finding.remedy, `Source: ${finding.source}`].join('\n')
}
