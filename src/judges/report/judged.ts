import { formatCount } from '../../base/text/quantities.ts'
import type { Fact } from './report.ts'

/** The note of every judge about what it leaves open. `what`: ids of checks, or how many calls. */
export function notJudged(what: string, reason: string): string {
  return `Not judged (${what}): ${reason}.`
}

/** How much was judged: `3 calls; 1 broke the contract`. `none`: why nothing was. */
export function judgedFact(
  count: number,
  what: string,
  { about = '', none }: { readonly about?: string; readonly none: string },
): Fact {
  return { name: 'Judged', value: formatCount(count, what) + (count === 0 ? `: ${none}` : about) }
}
