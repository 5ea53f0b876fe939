import { type Case, skippedFor, writeSuites } from '../../report/junit.ts'
import { type ReasonKind, reasonKinds } from '../reason.ts'
import type { SituationVerdict } from '../verdict.ts'
import { formatResult, verdictFacts } from '../verdict-texts.ts'
import type { Certificate } from './certificate.ts'

const caseNames: Readonly<Record<ReasonKind, string>> = {
  exit: 'exit: the command ends as expected',
  conduct: 'conduct: calls are polite',
  recovery: 'recovery: calls succeed again',
}

/** A suite for each situation, with a case for its exit code, its conduct and its recovery. */
export function writeCertificateJUnit({ situations }: Certificate): string {
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
