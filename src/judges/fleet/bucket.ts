import type { Quota } from '../../service/plans/plan.ts'

export type Bucket = ReturnType<typeof createBucket>

/** For calls that are faster or slower on their way than others, in milliseconds. */
const margin = 500

/** A window that no limiter counts: a simulation has fewer calls. */
const endless = 5_000_000

/**
 * A limiter that lets no more calls than a quota into any minute or day. `windows`: where they begin; `any`: at any instant,
 * since other limiters use the same key. A quota below one call lets one through in a longer time.
 */
export function createBucket({ minute, day }: Quota, windows: 'calendar' | 'first-call' | 'any') {
  const places = [
    { ms: 60_000, quota: minute },
    { ms: 86_400_000, quota: day },
  ]
    .filter(({ quota }) => quota < endless)
    .map(({ ms, quota }) => {
      if (quota < 1) return slidingPlaces(ms / quota, 1)
      const whole = Math.floor(quota)
      return windows === 'any' ? slidingPlaces(ms, whole) : fixedPlaces(ms, whole, windows === 'calendar')
    })
  let last = Number.NEGATIVE_INFINITY
  return {
    /** The next instant, `at` or later, at which a call keeps every window below its quota. It takes that place. */
    take: (at: number) => {
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

function slidingPlaces(ms: number, quota: number): Places {
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

function fixedPlaces(ms: number, quota: number, isCalendar: boolean): Places {
  let [end, used] = [Number.NEGATIVE_INFINITY, 0]
  // A window begins on a whole second (A05).
  const grain = isCalendar ? ms : 1_000
  const endOf = (at: number) => Math.floor(at / grain) * grain + ms
  return {
    find: at => {
      const isOpen = at < end + margin
      if (isOpen) return used < quota && at < end - margin ? at : end + margin
      const own = endOf(at)
      if (isCalendar && at > own - margin) return own + margin
      return isCalendar ? Math.max(at, own - ms + margin) : at
    },
    use: at => {
      used = at < end ? used + 1 : 1
      if (used === 1) end = endOf(at)
    },
  }
}
