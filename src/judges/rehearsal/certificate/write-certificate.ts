import { escapeInJson } from '../../../base/text/invisible.ts'
import { writeAnnotations } from '../../report/annotations.ts'
import { type Finding, unjudgedId } from '../../report/finding.ts'
import { type Case, skippedFor, writeSuites } from '../../report/junit.ts'
import type { ReportExtension } from '../../report/report-extensions.ts'
import type { ReportHead } from '../../report/report-head.ts'
import { type ReasonKind, reasonKinds } from '../reason.ts'
import type { SituationVerdict } from '../verdict.ts'
import { formatResult, verdictFacts } from '../verdict-texts.ts'
import type { Certificate } from './certificate.ts'
import { writeCertificateHtml } from './certificate-html.ts'
import { writeCertificateMarkdown } from './certificate-markdown.ts'

export function writeCertificate(
  extension: ReportExtension,
  certificate: Certificate,
  head?: ReportHead,
): string {
  switch (extension) {
    case '.json':
      return `${escapeInJson(JSON.stringify({ ...certificate, ...(head && { head }) }, undefined, 2))}\n`
    case '.xml':
      return writeCertificateJUnit(certificate)
    case '.md':
      return writeCertificateMarkdown(certificate, head)
    case '.html':
      return writeCertificateHtml(certificate, head)
  }
}

/** What to fix, as workflow commands of GitHub Actions. */
export function certificateAnnotations({ remedies, situations }: Certificate): readonly string[] {
  const isNamed = remedies.some(({ id }) => id === unjudgedId)
  const unjudged = isNamed ? [] : situations.flatMap(one => one.unjudged)
  const fails = (finding: Finding) => isNew(finding) && (isNamed || finding.id !== unjudgedId)
  return writeAnnotations([{ judge: 'rehearse', findings: remedies, unjudged }], fails)
}

/** Whether a reason or remedy fails the command: the baseline does not have it. */
export function isNew({ expected }: Pick<Finding, 'expected'>): boolean {
  return expected !== true
}

const caseNames: Readonly<Record<ReasonKind, string>> = {
  exit: 'exit: the command ends as expected',
  conduct: 'conduct: calls are polite',
  recovery: 'recovery: calls succeed again',
}

/** A suite for each situation, with a case for its exit code, its conduct and its recovery. */
function writeCertificateJUnit({ situations }: Certificate): string {
  const suites = situations.map(verdict => ({
    name: verdict.name,
    seconds: Math.round(verdict.durationMs) / 1_000,
    cases: reasonKinds.map(kind => caseOf(kind, verdict)),
    output: [
      `Result: ${formatResult(verdict)}`,
      ...verdictFacts(verdict).map(({ name, value }) => `${name}: ${value}`),
      ...verdict.notes,
      ...(verdict.output === '' ? [] : ['Output:', verdict.output]),
    ],
  }))
  return writeSuites(suites, ({ expected }) => expected !== true)
}

function caseOf(kind: ReasonKind, { result, unmet, reasons, recovery, unjudged }: SituationVerdict): Case {
  const findings = reasons.filter(reason => reason.kind === kind)
  const open: Readonly<Record<ReasonKind, string | undefined>> = {
    exit: undefined,
    conduct: skippedFor(unjudged),
    recovery: recovery.kind === 'unjudged' ? `Not judged: ${recovery.reason}` : undefined,
  }
  const skipped = result === 'not-met' ? `Not met: ${unmet ?? ''}` : open[kind]
  return { name: caseNames[kind], findings, skipped }
}
