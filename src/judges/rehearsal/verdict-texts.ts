import { formatCount } from '../../base/text/quantities.ts'
import { roundedDuration } from './reason.ts'
import type { Recovery } from './recovery.ts'
import type { SituationVerdict, Waste } from './verdict.ts'

/** What a situation's row shows first. A failure that the baseline has is no news. */
export type Mark = 'passed' | 'failed' | 'flaky' | 'known'

export function markOf({ result, known }: SituationVerdict): Mark {
  return known ? 'known' : result
}

export function formatResult({ result, known, runs: { passed, failed } }: SituationVerdict): string {
  const runs = result === 'flaky' ? `, ${passed} of ${passed + failed} passed` : ''
  return `${result}${runs}${known ? ', known' : ''}`
}

export function formatExit({ exit: { found } }: SituationVerdict): string {
  return found.kind === 'hung' ? 'hung' : `${found.exitCode}`
}

/** Failing findings, else allowed ones. */
export function formatConduct({ reasons, conduct }: SituationVerdict): string {
  const failing = reasons.filter(({ kind, expected }) => kind === 'conduct' && !expected).length
  const noted = conduct.filter(({ severity }) => severity !== 'info').length
  if (failing > 0) return `${failing} failing`
  return noted === 0 ? '–' : `${noted} allowed`
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
  const { exit, recovery, recovers, waste, calls, durationMs } = verdict
  const expected = exit.expected === 'either' ? 'any is fine' : `expected: ${exit.expected}`
  const within = recovers === null ? 'not required' : `at most ${roundedDuration(recovers)} allowed`
  const why = recovery.kind === 'not-judged' ? `: ${recovery.reason}` : ''
  return [
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

/** `31 of 33 situations passed, 1 flaky, 1 failed`. */
export function formatCounts(verdicts: readonly SituationVerdict[]): string {
  const count = (mark: Mark) => verdicts.filter(verdict => markOf(verdict) === mark).length
  const others = (['flaky', 'failed', 'known'] as const).flatMap(mark => {
    const found = count(mark)
    return found === 0 ? [] : [`${found} ${mark === 'known' ? 'known to fail' : mark}`]
  })
  return [`${count('passed')} of ${formatCount(verdicts.length, 'situation')} passed`, ...others].join(', ')
}
