import type { Circumstances } from '../machine.ts'
import type { Outcome } from '../measurement.ts'
import { claimsText } from './claims.ts'
import { outcomeText } from './outcome.ts'
import { paragraph } from './paragraph.ts'

/** One run. */
export interface Run {
  readonly circumstances: Circumstances
  readonly outcomes: readonly Outcome[]
}

/** A run as Markdown, for the terminal and for the page alike. */
export function reportText({ circumstances, outcomes }: Run): string {
  const claims = outcomes.flatMap(outcome => outcome.claims)
  const parts = [
    circumstancesText(circumstances),
    ...(claims.length > 0 ? ['### The limits', claimsText(claims)] : []),
    ...outcomes.map(outcomeText),
  ]
  return `${parts.join('\n\n')}\n`
}

function circumstancesText(run: Circumstances): string {
  const isBusy = run.busyCores > run.cores / 4
  return [
    `${run.date} UTC, commit ${run.commit}. Node ${run.node} on ${run.system}, ${run.cpu}, ${run.cores} cores, of which ${run.busyCores} were busy with other work before or after. Load by ${run.load}. Java ${run.java}. Peers: ${run.peers.join(', ') || 'none'}.`,
    'Figures are medians of rounds, with the best and the worst round. A ratio is the median of the ratios of each round; its best one compares the best rounds of both.',
    ...(isBusy
      ? [
          '**The machine had other work to do: single rounds are far off, and only ratios and CPU mean something.**',
        ]
      : []),
  ]
    .map(paragraph)
    .join('\n\n')
}
