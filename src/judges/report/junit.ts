import { evidenceLines, type Finding, gradeName } from './finding.ts'
import { attributes, escapeMarkup } from './markup.ts'
import type { Part, SectionedReport, Unjudged } from './report.ts'
import { countUnjudged, openFor, shownFindings } from './unjudged.ts'

interface Suite extends Pick<Part, 'name' | 'seconds' | 'cases'> {
  readonly output: readonly string[]
}

/**
 * Reports as JUnit XML, as Jenkins' junit-10.xsd describes it: a suite for each part or report, a case for each check. Findings
 * that do not fail the command are in the output of their case.
 */
export function writeJUnit(
  reports: readonly SectionedReport[],
  fails: (finding: Finding) => boolean,
): string {
  const all = reports.flatMap(report => report.parts?.map(suiteOfPart) ?? [suiteOf(report)])
  const suites = all.map(suite => formatSuite(suite, fails))
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

function suiteOfPart({ name, seconds, cases, result, facts, notes, output }: Part): Suite {
  const shown = output === '' ? [] : ['Output:', output]
  const texts = facts.map(({ name, value }) => `${name}: ${value}`)
  return { name, seconds, cases, output: [`Result: ${result.text}`, ...texts, ...notes, ...shown] }
}

function suiteOf(report: SectionedReport): Suite {
  const { judge, checks, notes, facts } = report
  const findings = shownFindings(report)
  // A finding without a check gets a case too.
  const titles = new Map(checks.map(({ id, title }) => [id, title] as const))
  const ids = new Set([...checks, ...findings].map(({ id }) => id))
  return {
    name: judge,
    seconds: 0,
    cases: Array.from(ids, id => ({
      name: `${id}: ${titles.get(id) ?? id}`,
      findings: findings.filter(finding => finding.id === id),
      skipped: skippedFor(openFor(id, report.unjudged)),
    })),
    output: [...notes, ...facts.map(({ name, value }) => `${name}: ${value}`)],
  }
}

/** Why a case has no result. Undefined: nothing stays open. */
export function skippedFor(open: readonly Unjudged[]): string | undefined {
  if (open.length === 0) return undefined
  return `Not judged (${countUnjudged(open)}): ${open.map(({ reason }) => reason).join('; ')}`
}

function formatSuite(suite: Suite, fails: (finding: Finding) => boolean) {
  const { name, seconds, cases: all, output: text } = suite
  const cases = all.map(({ name: check, findings, skipped: why }) => {
    const failing = findings.filter(fails)
    const skipped = failing.length > 0 ? undefined : why
    const content = [
      ...(skipped === undefined ? [] : [`    <skipped${attributes({ message: skipped })}/>`]),
      ...failing.map(finding => {
        const text = escapeMarkup(describeFinding(finding))
        return `    <failure${attributes({ message: finding.title, type: finding.severity })}>${text}</failure>`
      }),
      ...output(findings.filter(finding => !failing.includes(finding))),
    ]
    const tag = `  <testcase${attributes({ name: check, classname: `pet-mock.${name}`, time: 0 })}`
    return {
      failed: failing.length > 0,
      isSkipped: skipped !== undefined,
      lines: content.length === 0 ? [`${tag}/>`] : [`${tag}>`, ...content, '  </testcase>'],
    }
  })
  const tests = cases.length
  const failures = cases.filter(({ failed }) => failed).length
  const skips = cases.filter(({ isSkipped }) => isSkipped).length
  return {
    tests,
    failures,
    lines: [
      `<testsuite${attributes({ name, tests, failures, errors: 0, skipped: skips, time: seconds })}>`,
      ...cases.flatMap(({ lines }) => lines),
      ...(text.length === 0 ? [] : [`  <system-out>${escapeMarkup(text.join('\n'))}</system-out>`]),
      '</testsuite>',
    ],
  }
}

function output(findings: readonly Finding[]): readonly string[] {
  if (findings.length === 0) return []
  const texts = findings.map(
    finding => `${gradeName(finding)}: ${finding.title}\n${describeFinding(finding)}`,
  )
  return [`    <system-out>${escapeMarkup(texts.join('\n\n'))}</system-out>`]
}

function describeFinding(finding: Finding): string {
  return [...evidenceLines(finding), finding.remedy, `Source: ${finding.source}`].join('\n')
}
