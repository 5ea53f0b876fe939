import type { Quota } from '../../service/plans/plan.ts'

export interface Bucket {
  /** The next instant, `at` or later, at which a call keeps every window below its quota. It takes that place. */
  readonly take: (at: number) => number
}

/** For calls that are faster or slower on their way than others, in milliseconds. */
const margin = 500

/** A window that no limiter counts: a simulation has fewer calls. */
const endless = 5_000_000

/**
 * A limiter for windows that may begin at any instant: it lets no more calls than a quota into any minute or day. For
 * calendar windows it counts these. A quota below one call lets none through.
 */
export function createBucket({ minute, day }: Quota, isCalendar: boolean): Bucket {
  const windows = [
    { ms: 60_000, quota: Math.floor(minute) },
    { ms: 86_400_000, quota: Math.floor(day) },
  ].filter(({ quota }) => quota < endless)
  const places = windows.map(isCalendar ? calendarPlaces : slidingPlaces)
  let last = Number.NEGATIVE_INFINITY
  return {
    take: at => {
      let next = Math.max(at, last)
      // What suits one window may be in a full part of the other.
      for (let before = -1; before !== next; ) {
        before = next
        for (const { find } of places) next = find(next)
      }
      for (const { use } of places) use(next)
      last = next
      return next
    },
  }
}

interface Places {
  readonly find: (at: number) => number
  readonly use: (at: number) => void
}

function slidingPlaces({ ms, quota }: { readonly ms: number; readonly quota: number }): Places {
  if (quota < 1) return { find: () => Number.POSITIVE_INFINITY, use: () => {} }
  const taken = new Float64Array(quota).fill(Number.NEGATIVE_INFINITY)
  let calls = 0
  return {
    find: at => Math.max(at, (taken[calls % quota] ?? 0) + ms + margin),
    use: at => {
      taken[calls % quota] = at
      calls += 1
    },
  }
}

function calendarPlaces({ ms, quota }: { readonly ms: number; readonly quota: number }): Places {
  if (quota < 1) return { find: () => Number.POSITIVE_INFINITY, use: () => {} }
  let [begin, used] = [Number.NEGATIVE_INFINITY, 0]
  const beginOf = (at: number) => Math.floor(at / ms) * ms
  return {
    find: at => {
      const own = beginOf(at)
      const isFull = own <= begin && used >= quota
      const isLate = at > own + ms - margin
      return Math.max(at, (isFull ? begin + ms : isLate ? own + ms : own) + margin)
    },
    use: at => {
      const own = beginOf(at)
      used = own > begin ? 1 : used + 1
      begin = Math.max(begin, own)
    },
  }
}
