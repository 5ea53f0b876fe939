import { formatCount } from '../../base/text/quantities.ts'
import { type Finding, gradeOf, unjudgedId } from '../report/finding.ts'
import { skippedFor } from '../report/junit.ts'
import type { Case, Cell, Fact, Part, SectionedReport, Table } from '../report/report.ts'
import { countUnjudged } from '../report/unjudged.ts'
import type { Certificate } from './certificate.ts'
import { type ReasonKind, reasonKinds, roundedDuration } from './reason.ts'
import type { Recovery } from './recovery.ts'
import { lifetimeTable } from './sunset.ts'
import { isFailing, markOf, type SituationResult, type SituationVerdict } from './verdict.ts'

/** A rehearsal as people read it: the matrix, what to fix, and every situation. */
export function rehearsalReport(certificate: Certificate): SectionedReport {
  const { summary, remedies, situations, sunset, notes } = certificate
  return {
    judge: 'rehearse',
    title: 'Rehearsal of a client',
    summary,
    checks: [],
    findings: remedies,
    facts: [],
    notes,
    // A remedy about them says it already.
    unjudged: remedies.some(({ id }) => id === unjudgedId)
      ? []
      : situations.flatMap(({ name, unjudged }) =>
          // What a check leaves open stands beside its finding in the situation.
          unjudged.map(one => ({
            ...one,
            checks: [],
            evidence: [{ what: name, detail: '', count: one.count }],
          })),
        ),
    flights: [],
    tables: [matrixOf(situations), ...(sunset === null ? [] : [lifetimeTable(sunset)])],
    parts: situations.map(partOf),
  }
}

/** Whether a finding fails a rehearsal: the baseline does not have it. What is not judged fails it only as a remedy. */
export function failsRehearsal({ remedies }: Pick<Certificate, 'remedies'>): (finding: Finding) => boolean {
  const isNamed = remedies.some(({ id }) => id === unjudgedId)
  return ({ id, expected }) => expected !== true && (isNamed || id !== unjudgedId)
}

const caseNames: Readonly<Record<ReasonKind, string>> = {
  exit: 'exit: the command ends as expected',
  conduct: 'conduct: calls are polite',
  recovery: 'recovery: calls succeed again',
}

function partOf(verdict: SituationVerdict): Part {
  const { name, title, reasons, notes, callsAround, output, durationMs, flight } = verdict
  return {
    name,
    title,
    result: resultCell(verdict),
    isFailing: isFailing(verdict),
    seconds: Math.round(durationMs) / 1_000,
    findings: reasons,
    cases: reasonKinds.map(kind => caseOf(kind, verdict)),
    facts: factsOf(verdict),
    notes,
    calls: callsAround,
    flight: flight ?? undefined,
    output,
  }
}

function caseOf(kind: ReasonKind, { result, unmet, reasons, recovery, unjudged }: SituationVerdict): Case {
  const open: Readonly<Record<ReasonKind, string | undefined>> = {
    exit: undefined,
    conduct: skippedFor(unjudged),
    recovery: recovery.kind === 'unjudged' ? `Not judged: ${recovery.reason}` : undefined,
  }
  return {
    name: caseNames[kind],
    findings: reasons.filter(reason => reason.kind === kind),
    skipped: result === 'not-met' ? `Not met: ${unmet ?? ''}` : open[kind],
  }
}

/** `failed, 2 calls not judged`. */
export function formatResult(verdict: SituationVerdict): string {
  const { result, known, unjudged } = verdict
  const { passed, failed } = verdict.runs
  const isAllowed = markOf({ ...verdict, result: result === 'unjudged' ? 'passed' : result }) === 'allowed'
  const runs = result === 'flaky' ? `, ${passed} of ${passed + failed} passed` : ''
  const open = unjudged.length === 0 ? '' : `, ${countUnjudged(unjudged)} not judged`
  return `${isAllowed ? 'allowed to fail' : resultTexts[result]}${runs}${known ? ', known' : ''}${open}`
}

const resultTexts: Readonly<Record<SituationResult, string>> = {
  passed: 'passed',
  unjudged: 'passed',
  'not-met': 'not met',
  failed: 'failed',
  flaky: 'flaky',
}

function formatExit({ exit: { found } }: SituationVerdict): string {
  return found.kind === 'hung' ? 'hung' : `${found.exitCode}`
}

const wasteLine =
  'Waste: calls refused by a limit or ban, calls before the end of a known wait, and calls beyond those of the calm run.'

export function matrixOf(verdicts: readonly SituationVerdict[]): Table {
  const common = commonFindings(verdicts)
  return {
    title: 'Situations',
    heads: ['Situation', 'Result', 'Exit code', 'Conduct', 'Recovery', 'Waste'],
    rows: verdicts.map(verdict => {
      const cell = (kind: ReasonKind, text: string): Cell => ({
        text,
        isWrong: verdict.reasons.some(one => one.kind === kind && !one.expected),
      })
      return {
        name: verdict.name,
        cells: [
          resultCell(verdict),
          cell('exit', formatExitCell(verdict)),
          cell('conduct', formatConduct(verdict, common)),
          cell('recovery', formatRecovery(verdict.recovery)),
          { text: formatWaste(verdict.waste) },
        ],
      }
    }),
    lines: [
      wasteLine,
      ...common.map(id => {
        const count = verdicts.filter(verdict => allowedIds(verdict).includes(id)).length
        return `Found in ${count} of ${formatCount(verdicts.length, 'situation')}, and allowed: ${id}`
      }),
      ...fleetLines(verdicts),
      ...unmetLines(verdicts),
    ],
  }
}

function resultCell(verdict: SituationVerdict): Cell {
  return { text: formatResult(verdict), mark: markOf(verdict) }
}

/** The exit code in a table. A failure that the situation accepts would look like a mistake. */
function formatExitCell(verdict: SituationVerdict): string {
  const { expected, found, isAsExpected } = verdict.exit
  const isAccepted = expected === 'either' && isAsExpected && found.kind === 'exited' && found.exitCode !== 0
  return `${formatExit(verdict)}${isAccepted ? ' (any)' : ''}`
}

/** How many failing findings, else which allowed ones. `common`: those that are said below the table. */
function formatConduct({ reasons, conduct }: SituationVerdict, common: readonly string[]): string {
  const failing = reasons.filter(({ kind, expected }) => kind === 'conduct' && !expected).length
  const allowed = new Set(shownIds(conduct).filter(id => !common.includes(id)))
  if (failing > 0) return `${failing} failing`
  return allowed.size === 0 ? '–' : `${allowed.size} allowed: ${[...allowed].join(', ')}`
}

/** In this part of the rows or more, a finding says more about the client than about a situation. */
const nearlyAll = 0.7
/** With fewer rows, nothing is common. */
const fewRows = 4

/** The allowed findings of nearly every situation. */
function commonFindings(verdicts: readonly SituationVerdict[]): readonly string[] {
  if (verdicts.length < fewRows) return []
  const rows = verdicts.map(allowedIds)
  return [...new Set(rows.flat())].filter(
    id => rows.filter(row => row.includes(id)).length >= nearlyAll * rows.length,
  )
}

/** The findings that fail nothing in this situation. */
function allowedIds({ conduct, reasons }: SituationVerdict): readonly string[] {
  return shownIds(conduct).filter(id => reasons.every(reason => reason.id !== id))
}

function shownIds(conduct: readonly Finding[]): readonly string[] {
  return conduct.flatMap(({ id, severity }) => (severity === 'info' ? [] : [id]))
}

function formatRecovery(recovery: Recovery): string {
  return recovery.kind === 'recovered'
    ? `after ${roundedDuration(recovery.afterMs)}`
    : recoveryTexts[recovery.kind]
}

const recoveryTexts: Readonly<Record<Exclude<Recovery['kind'], 'recovered'>, string>> = {
  unneeded: '–',
  'ended-early': 'gave up',
  stopped: 'none',
  'failed-again': 'failed again',
  unjudged: 'not judged',
}

function formatWaste({ refused, early, beyondCalm }: SituationVerdict['waste']): string {
  const parts: readonly (readonly [number, string])[] = [
    [refused, 'refused'],
    [early, 'early'],
    [beyondCalm, 'extra'],
  ]
  return parts.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : [])).join(', ') || '–'
}

function factsOf(verdict: SituationVerdict): readonly Fact[] {
  const { result, unmet, begins, exit, recovery, recovers, waste, calls, durationMs, reasons, conduct } =
    verdict
  const { fleet } = verdict
  const harmless = conduct
    .filter(({ id }) => reasons.every(reason => reason.id !== id))
    .map(one => `${one.id} (${gradeOf(one)}, ${one.count})`)
  const expected = exit.expected === 'either' ? 'any is fine' : `expected: ${exit.expected}`
  const within = recovers === null ? 'not required' : `at most ${roundedDuration(recovers)} allowed`
  const why = recovery.kind === 'unjudged' ? `: ${recovery.reason}` : ''
  return [
    ...(result === 'not-met' && unmet !== null ? [{ name: 'Not met', value: unmet }] : []),
    ...(begins === null
      ? []
      : [
          {
            name: 'Begins',
            value: `after ${formatCount(begins.after, 'call')}, in the middle of the ${begins.calls} of the calm run; in the scenario: after ${begins.declared}`,
          },
        ]),
    ...(fleet
      ? [{ name: `Only the fleet of ${fleet.instances} did`, value: fleet.only.join(', ') || 'nothing' }]
      : []),
    { name: 'Exit code', value: `${formatExit(verdict)} (${expected})` },
    {
      name: 'Recovery',
      value: recovery.kind === 'unneeded' ? 'not needed' : `${formatRecovery(recovery)}${why} (${within})`,
    },
    {
      name: 'Calls',
      value: `${calls}: ${waste.refused} refused, ${waste.early} before the end of a known wait, ${waste.beyondCalm} more than in the calm run`,
    },
    { name: 'Time', value: roundedDuration(durationMs) },
    ...(harmless.length === 0 ? [] : [{ name: 'Fails nothing', value: harmless.join(', ') }]),
  ]
}

/** What one instance alone did not do: notes apart, as in the table. What fails has its remedy below. */
function fleetLines(verdicts: readonly SituationVerdict[]): readonly string[] {
  const ids = new Set(verdicts.flatMap(onlyFleet))
  return [...ids].map(id => {
    const found = verdicts.filter(verdict => onlyFleet(verdict).includes(id))
    const isFailing = found.some(({ reasons }) => reasons.some(reason => reason.id === id))
    const all = isFailing ? [] : found.flatMap(({ conduct }) => conduct)
    const remedy = all.find(finding => finding.id === id)?.remedy ?? ''
    const names = found.map(({ name }) => name).join(', ')
    return `Only the fleet did, no instance alone: ${id} in ${names}. ${remedy}`.trimEnd()
  })
}

function onlyFleet({ fleet, conduct, reasons }: SituationVerdict): readonly string[] {
  const shown = [...reasons.map(({ id }) => id), ...shownIds(conduct)]
  return (fleet?.only ?? []).filter(id => shown.includes(id))
}

/** `The client did not meet flaky, lost-reply: made 1 call` */
function unmetLines(verdicts: readonly SituationVerdict[]): readonly string[] {
  const unmet = verdicts.filter(({ result }) => result === 'not-met')
  return [...new Set(unmet.map(one => one.unmet ?? ''))].map(why => {
    const names = unmet.filter(one => (one.unmet ?? '') === why).map(({ name }) => name)
    return `The client did not meet ${names.join(', ')}: ${why}`
  })
}
