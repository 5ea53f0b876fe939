import { formatCount } from '../../base/text/quantities.ts'
import type { Finding } from '../report/finding.ts'
import { countUnjudged, describeUnjudged } from '../report/unjudged.ts'
import { type ReasonKind, roundedDuration } from './reason.ts'
import type { Recovery } from './recovery.ts'
import type { Begin } from './rehearsal.ts'
import type { SituationResult, SituationVerdict, Waste } from './verdict.ts'

/**
 * What a situation's row shows first. Known: a failure that the baseline has is no news. Allowed: the command failed as it may,
 * and no call succeeded again.
 */
export type Mark = SituationResult | 'known' | 'allowed'

export function markOf({ result, known, exit, recovery }: SituationVerdict): Mark {
  if (known) return 'known'
  const hasFailed = exit.found.kind === 'exited' && exit.found.exitCode !== 0
  const isAllowed = exit.expected === 'either' && hasFailed && recovery.kind !== 'recovered'
  return result === 'passed' && isAllowed ? 'allowed' : result
}

/** `failed, 2 calls not judged`. */
export function formatResult(verdict: SituationVerdict): string {
  const {
    result,
    known,
    unjudged,
    runs: { passed, failed },
  } = verdict
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

/** A situation in the matrix. */
export interface MatrixRow {
  readonly verdict: SituationVerdict
  readonly mark: Mark
  readonly result: string
  readonly cells: Readonly<Record<ReasonKind | 'waste', MatrixCell>>
}

interface MatrixCell {
  readonly text: string
  /** Whether it fails the situation, and is news. */
  readonly isWrong: boolean
}

/** The matrix of a rehearsal: a row for each situation, and the lines below it. */
export function matrixOf(verdicts: readonly SituationVerdict[]) {
  const common = commonFindings(verdicts)
  const rows = verdicts.map((verdict): MatrixRow => {
    const isWrong = (kind: ReasonKind) => verdict.reasons.some(one => one.kind === kind && !one.expected)
    return {
      verdict,
      mark: markOf(verdict),
      result: formatResult(verdict),
      cells: {
        exit: { text: formatExitCell(verdict), isWrong: isWrong('exit') },
        conduct: { text: formatConduct(verdict, common), isWrong: isWrong('conduct') },
        recovery: { text: formatRecovery(verdict.recovery), isWrong: isWrong('recovery') },
        waste: { text: formatWaste(verdict.waste), isWrong: false },
      },
    }
  })
  return { rows, lines: commonLines(verdicts, common) }
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

/** `Found in 30 of 33 situations, and allowed: deprecated-operation` */
function commonLines(verdicts: readonly SituationVerdict[], common: readonly string[]): readonly string[] {
  return common.map(id => {
    const count = verdicts.filter(verdict => allowedIds(verdict).includes(id)).length
    return `Found in ${count} of ${formatCount(verdicts.length, 'situation')}, and allowed: ${id}`
  })
}

/** The findings that fail nothing in this situation. */
function allowedIds({ conduct, reasons }: SituationVerdict): readonly string[] {
  return shownIds(conduct).filter(id => reasons.every(reason => reason.id !== id))
}

function shownIds(conduct: readonly Finding[]): readonly string[] {
  return conduct.flatMap(({ id, severity }) => (severity === 'info' ? [] : [id]))
}

function formatRecovery(recovery: Recovery): string {
  switch (recovery.kind) {
    case 'unneeded':
      return '–'
    case 'recovered':
      return `after ${roundedDuration(recovery.afterMs)}`
    case 'ended-early':
      return 'gave up'
    case 'stopped':
      return 'none'
    case 'failed-again':
      return 'failed again'
    case 'unjudged':
      return 'not judged'
  }
}

function formatWaste({ refused, early, beyondCalm }: Waste): string {
  const parts: readonly (readonly [number, string])[] = [
    [refused, 'refused'],
    [early, 'early'],
    [beyondCalm, 'extra'],
  ]
  return parts.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : [])).join(', ') || '–'
}

/** A verdict in sentences, for the part of a report that is about its situation. */
export function verdictFacts(verdict: SituationVerdict): readonly { name: string; value: string }[] {
  const { result, unmet, begins, exit, recovery, recovers, waste, calls, durationMs } = verdict
  const expected = exit.expected === 'either' ? 'any is fine' : `expected: ${exit.expected}`
  const within = recovers === null ? 'not required' : `at most ${roundedDuration(recovers)} allowed`
  const why = recovery.kind === 'unjudged' ? `: ${recovery.reason}` : ''
  return [
    ...(result === 'not-met' && unmet !== null ? [{ name: 'Not met', value: unmet }] : []),
    ...(begins === null ? [] : [{ name: 'Begins', value: formatBegin(begins) }]),
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
  ]
}

/** So that a run of the scenario itself can be compared. */
function formatBegin({ after, declared, calls }: Begin): string {
  return `after ${formatCount(after, 'call')}, in the middle of the ${calls} of the calm run; in the scenario: after ${declared}`
}

const otherCounts = {
  unjudged: 'not wholly judged',
  allowed: 'allowed to fail',
  flaky: 'flaky',
  failed: 'failed',
  known: 'known to fail',
  'not-met': 'not met',
} as const satisfies Partial<Record<Mark, string>>

/** What has no verdict: lists of situations with the reason, such as `flaky, lost-reply: made 1 call`. */
export function openLists(
  verdicts: readonly SituationVerdict[],
): readonly { readonly title: string; readonly lines: readonly string[] }[] {
  const unmetOf = ({ result, unmet }: SituationVerdict) => (result === 'not-met' ? (unmet ?? '') : '')
  const lists = [
    { title: 'Situations that the client did not meet:', lines: linesOf(verdicts, unmetOf) },
    {
      title: 'Calls that could not be judged:',
      lines: linesOf(verdicts, ({ unjudged }) => unjudged.map(describeUnjudged).join('; ')),
    },
  ]
  return lists.filter(({ lines }) => lines.length > 0)
}

/** Situations by the reason that each has, which may be empty. */
function linesOf(verdicts: readonly SituationVerdict[], why: (verdict: SituationVerdict) => string) {
  const reasons = [...new Set(verdicts.map(why))].filter(reason => reason !== '')
  return reasons.map(reason => {
    const names = verdicts.filter(verdict => why(verdict) === reason).map(({ name }) => name)
    return `${names.join(', ')}: ${reason}`
  })
}

/** `29 of 33 situations passed, 1 flaky, 1 failed, 2 not met; not judged: 3 calls`. */
export function formatCounts(verdicts: readonly SituationVerdict[]): string {
  const passed = verdicts.filter(verdict => markOf(verdict) === 'passed').length
  const others = Object.entries(otherCounts).flatMap(([mark, text]) => {
    const found = verdicts.filter(verdict => markOf(verdict) === mark).length
    return found === 0 ? [] : [`${found} ${text}`]
  })
  const counts = [`${passed} of ${formatCount(verdicts.length, 'situation')} passed`, ...others].join(', ')
  const open = countUnjudged(verdicts.flatMap(({ unjudged }) => unjudged))
  return open === '' ? counts : `${counts}; not judged: ${open}`
}
