import { formatCount } from '../../base/text/quantities.ts'
import type { Fact } from './report.ts'

/** How much was judged: `3 calls; 1 broke the contract`. `none`: why nothing was. */
export function judgedFact(
  count: number,
  what: string,
  { about = '', none }: { readonly about?: string; readonly none: string },
): Fact {
  return { name: 'Judged', value: formatCount(count, what) + (count === 0 ? `: ${none}` : about) }
}
