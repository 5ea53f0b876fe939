import type { LifetimeCount, LifetimeRow } from './lifetime-log.ts'
import { sunsetMoments } from './sunset.ts'

/** A count as a table shows it. */
interface LifetimeCell {
  readonly text: string
  readonly isBroken: boolean
}

interface LifetimeTable {
  readonly title: string
  readonly heads: readonly string[]
  readonly rows: readonly {
    readonly operation: string
    readonly site: string
    readonly counts: readonly LifetimeCell[]
  }[]
}

/** What breaks, by operation and call site, in the order of time. */
export function lifetimeTable(rows: readonly LifetimeRow[]): LifetimeTable {
  const breaks = rows.some(({ at }) => sunsetMoments.some(moment => at[moment].broken > 0))
  return {
    title:
      rows.length === 0
        ? 'No call used a deprecated operation: nothing breaks.'
        : breaks
          ? 'What breaks, by operation and call site:'
          : 'Calls of deprecated operations, which no removal refused:',
    heads: ['Operation', 'Call site', ...sunsetMoments],
    rows: rows.map(({ operation, site, at }) => ({
      operation,
      site,
      counts: sunsetMoments.map(moment => showCount(at[moment])),
    })),
  }
}

function showCount({ calls, broken }: LifetimeCount): LifetimeCell {
  if (calls === 0) return { text: '–', isBroken: false }
  if (broken === 0) return { text: `${calls} fine`, isBroken: false }
  return { text: broken === calls ? `${broken} break` : `${broken} of ${calls} break`, isBroken: true }
}
