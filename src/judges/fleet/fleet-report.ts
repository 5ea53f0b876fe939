import { groupDigits } from '../../base/text/quantities.ts'
import { lengthOf } from '../replay/advise.ts'
import type { Finding } from '../report/finding.ts'
import type { Cell, Fact, SectionedReport } from '../report/report.ts'
import { commonChecks, settleChecks } from '../report/unjudged.ts'
import { type Advice, percent } from './advise.ts'
import type { Figures } from './figures.ts'
import type { Simulation } from './simulate.ts'

/** The figures of a policy, as `--json` prints them and a baseline has them. */
export interface PolicyFigures extends Figures {
  readonly name: string
}

/** The only check: everything else in the report is a measurement. */
const worse = { id: 'fleet-worse', title: 'no policy does worse than in the baseline' } as const

/** `before`: the figures of a baseline; absent: nothing is judged. */
export function fleetReport(
  { policies, advice }: { readonly policies: readonly PolicyFigures[]; readonly advice: readonly Advice[] },
  runs: readonly Simulation[],
  facts: readonly Fact[],
  before: readonly PolicyFigures[] | undefined,
): SectionedReport {
  const worseOnes = policies.flatMap(now => {
    const known = before?.find(({ name }) => name === now.name)
    return known === undefined ? [] : differences(known, now).map(detail => ({ what: now.name, detail }))
  })
  const unknown = before && policies.filter(({ name }) => !before.some(one => one.name === name))
  const finding: Finding = {
    ...worse,
    severity: 'error',
    title: `Worse than in the baseline: ${[...new Set(worseOnes.map(({ what }) => what))].join(', ')}.`,
    remedy: 'Undo the change, or save the new figures: pet-mock fleet --json > baseline.json.',
    source: 'the baseline',
    count: worseOnes.length,
    evidence: worseOnes,
  }
  return {
    judge: 'fleet',
    title: 'Fleet',
    summary: `${policies.length} simulated`,
    ...settleChecks({
      checks: before === undefined ? [] : [worse, ...commonChecks],
      findings: worseOnes.length === 0 ? [] : [finding],
      unjudged: (unknown ?? []).map(({ name }) => ({
        checks: [worse.id],
        count: 1,
        what: 'check',
        reason: `the baseline has no policy ${name}`,
        severity: unknown?.length === policies.length ? 'error' : 'info',
      })),
    }),
    facts,
    notes: [],
    tables: [
      {
        title: 'Policies',
        heads: [
          'Policy',
          'Served',
          'Age p50',
          'p95',
          'p99',
          'Refused',
          'Banned',
          'Herd',
          'Fairness',
          'Unused',
        ],
        rows: policies.map(figures => ({ name: figures.name, cells: cellsOf(figures) })),
        lines: [],
      },
      {
        title: 'What to do',
        about: 'What to do. A run proves each.',
        heads: [],
        rows: [],
        lines: advice.map(({ title, text, proof }) => `${proof === undefined ? '✕' : '✓'} ${title}: ${text}`),
      },
    ],
    flights: runs.map(({ picture }) => picture),
  }
}

/** A run that was cut has one cell, in place of figures. */
function cellsOf({ served, age, refused, banned, herd, fairness, unused, cut }: Figures): readonly Cell[] {
  if (cut !== undefined) return [{ text: `cut after ${lengthOf(cut)}`, isWrong: true }]
  const time = (ms: number) => (served === 0 ? '–' : lengthOf(ms))
  const bans = banned.count === 0 ? '–' : `${groupDigits(banned.count)} (${lengthOf(banned.ms)})`
  const texts = [percent(served), time(age.p50), time(age.p95), time(age.p99), groupDigits(refused), bans]
  const others = [groupDigits(herd), fairness.toFixed(2), percent(unused)]
  return [...texts, ...others].map(text => ({ text, isWrong: text === bans && banned.count > 0 }))
}

/** What is worse, beyond a tolerance: runs are exact, but every change of a policy moves all figures a little. */
function differences(old: Figures, now: Figures): readonly string[] {
  const rows: readonly [isWorse: boolean, text: string][] = [
    [now.cut !== undefined && old.cut === undefined, 'made too many calls, so the run was cut'],
    [now.banned.count > old.banned.count, `banned ${now.banned.count} times, ${old.banned.count} before`],
    [now.served < old.served - 0.01, `served ${percent(now.served)}, ${percent(old.served)} before`],
    [
      now.refused > old.refused * 1.1 + 10,
      `refused ${groupDigits(now.refused)} calls, ${groupDigits(old.refused)} before`,
    ],
    [
      now.herd > old.herd * 1.1 + 10,
      `${now.herd} calls in the first second after a reset, ${old.herd} before`,
    ],
    [
      now.age.p95 > old.age.p95 * 1.1 + 1_000,
      `p95 of the age ${lengthOf(now.age.p95)}, ${lengthOf(old.age.p95)} before`,
    ],
  ]
  return rows.filter(([isWorse]) => isWorse).map(([, text]) => text)
}
