import { formatCount } from '../../base/text/quantities.ts'
import { roundedDuration } from './reason.ts'
import type { Recovery } from './recovery.ts'
import type { SituationResult, SituationVerdict, Waste } from './verdict.ts'

/** What a situation's row shows first. A failure that the baseline has is no news. */
export type Mark = SituationResult | 'known'

export function markOf({ result, known }: SituationVerdict): Mark {
  return known ? 'known' : result
}

export function formatResult({ result, known, runs: { passed, failed } }: SituationVerdict): string {
  const runs = result === 'flaky' ? `, ${passed} of ${passed + failed} passed` : ''
  return `${result === 'not-met' ? 'not met' : result}${runs}${known ? ', known' : ''}`
}

export function formatExit({ exit: { found } }: SituationVerdict): string {
  return found.kind === 'hung' ? 'hung' : `${found.exitCode}`
}

/** The exit code in a table. A failure that the situation accepts would look like a mistake. */
export function formatExitCell(verdict: SituationVerdict): string {
  const { expected, found, isAsExpected } = verdict.exit
  const isAccepted = expected === 'either' && isAsExpected && found.kind === 'exited' && found.exitCode !== 0
  return `${formatExit(verdict)}${isAccepted ? ' (any)' : ''}`
}

/** How many failing findings, else which allowed ones. */
export function formatConduct({ reasons, conduct }: SituationVerdict): string {
  const failing = reasons.filter(({ kind, expected }) => kind === 'conduct' && !expected).length
  const allowed = new Set(conduct.flatMap(({ id, severity }) => (severity === 'info' ? [] : [id])))
  if (failing > 0) return `${failing} failing`
  return allowed.size === 0 ? '–' : `${allowed.size} allowed: ${[...allowed].join(', ')}`
}

export function formatRecovery(recovery: Recovery): string {
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
    case 'not-judged':
      return 'not judged'
  }
}

export function formatWaste({ refused, early, beyondCalm }: Waste): string {
  const parts: readonly (readonly [number, string])[] = [
    [refused, 'refused'],
    [early, 'early'],
    [beyondCalm, 'extra'],
  ]
  return parts.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : [])).join(', ') || '–'
}

/** A verdict in sentences, for the part of a report that is about its situation. */
export function verdictFacts(verdict: SituationVerdict): readonly { name: string; value: string }[] {
  const { result, unmet, exit, recovery, recovers, waste, calls, durationMs } = verdict
  const expected = exit.expected === 'either' ? 'any is fine' : `expected: ${exit.expected}`
  const within = recovers === null ? 'not required' : `at most ${roundedDuration(recovers)} allowed`
  const why = recovery.kind === 'not-judged' ? `: ${recovery.reason}` : ''
  return [
    ...(result === 'not-met' && unmet !== null ? [{ name: 'Not met', value: unmet }] : []),
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

const otherCounts = {
  flaky: 'flaky',
  failed: 'failed',
  known: 'known to fail',
  'not-met': 'not met',
} as const satisfies Partial<Record<Mark, string>>

/** Why situations were not met, and which. */
export function unmetGroups(
  verdicts: readonly SituationVerdict[],
): readonly { readonly why: string; readonly names: readonly string[] }[] {
  const groups = new Map<string, readonly string[]>()
  for (const { name, result, unmet } of verdicts)
    if (result === 'not-met' && unmet !== null) groups.set(unmet, [...(groups.get(unmet) ?? []), name])
  return Array.from(groups, ([why, names]) => ({ why, names }))
}

/** `29 of 33 situations passed, 1 flaky, 1 failed, 2 not met`. */
export function formatCounts(verdicts: readonly SituationVerdict[]): string {
  const passed = verdicts.filter(verdict => markOf(verdict) === 'passed').length
  const others = Object.entries(otherCounts).flatMap(([mark, text]) => {
    const found = verdicts.filter(verdict => markOf(verdict) === mark).length
    return found === 0 ? [] : [`${found} ${text}`]
  })
  return [`${passed} of ${formatCount(verdicts.length, 'situation')} passed`, ...others].join(', ')
}
