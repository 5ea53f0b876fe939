/** How a service counts requests. Times are epoch milliseconds. */
export interface Limiter {
  /** The limit before a request. */
  readonly look: (at: number) => Standing
  /** The limit after a request that costs `n`. */
  readonly take: (at: number, n: number) => Standing
}

export interface Standing {
  readonly isFree: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetAt: number
  /** When the next request is accepted. */
  readonly retryAt: number
}

export interface Quota {
  readonly minute: number
  readonly day: number
}

export interface FixedOptions {
  /** Windows begin on the full minute and at midnight. */
  readonly isCalendar?: boolean
  /** The window that the headers report. */
  readonly shows?: 'minute' | 'day' | 'tightest'
  /** Requests made by others before each request of ours. */
  readonly others?: (at: number) => number
}

const never = { limit: 0, remaining: 0, resetAt: 0 }

/** Two fixed windows. */
export function fixedWindows(
  quota: Quota,
  { isCalendar = false, shows = 'minute', others = () => 0 }: FixedOptions = {},
): Limiter {
  const windows = [
    { length: 60_000, limit: quota.minute, start: 0, used: 0 },
    { length: 86_400_000, limit: quota.day, start: 0, used: 0 },
  ]
  const roll = (at: number) => {
    for (const window of windows) {
      if (at < window.start + window.length) continue
      window.start = isCalendar ? at - (at % window.length) : at - (at % 1_000)
      window.used = 0
    }
  }
  const standing = (): Standing => {
    const of = (window: { start: number; length: number; limit: number; used: number }) => ({
      limit: window.limit,
      remaining: Math.max(0, window.limit - window.used),
      resetAt: window.start + window.length,
    })
    const [minute = never, day = never] = windows.map(of)
    const full = [minute, day].filter(({ remaining }) => remaining === 0)
    const last = full.toSorted((a, b) => b.resetAt - a.resetAt)[0]
    const shown =
      shows === 'day' ? day : shows === 'minute' || minute.remaining <= day.remaining ? minute : day
    return { ...shown, isFree: last === undefined, retryAt: last?.resetAt ?? 0 }
  }
  return {
    look: at => {
      roll(at)
      for (const window of windows) window.used += others(at)
      return standing()
    },
    take: (at, n) => {
      roll(at)
      for (const window of windows) window.used += n
      return standing()
    },
  }
}

/** A bucket that a minute fills. */
export function tokenBucket({ minute: limit }: Quota, burst = limit): Limiter {
  let tokens = burst
  let last = 0
  const fill = (at: number) => {
    tokens = Math.min(burst, tokens + (Math.max(0, at - last) * limit) / 60_000)
    last = at
  }
  const standing = (at: number): Standing => ({
    isFree: tokens >= 1,
    limit,
    remaining: Math.floor(tokens),
    resetAt: at + ((burst - tokens) * 60_000) / limit,
    retryAt: at + Math.max(0, (1 - tokens) * 60_000) / limit,
  })
  return {
    look: at => {
      fill(at)
      return standing(at)
    },
    take: (at, n) => {
      fill(at)
      tokens = Math.max(0, tokens - n)
      return standing(at)
    },
  }
}

/** A log of the last minute. */
export function slidingLog({ minute: limit }: Quota): Limiter {
  let log: number[] = []
  const standing = (at: number): Standing => {
    log = log.filter(then => then > at - 60_000)
    const next = (log[0] ?? at) + 60_000
    return {
      isFree: log.length < limit,
      limit,
      remaining: limit - log.length,
      resetAt: next,
      retryAt: next,
    }
  }
  return {
    look: standing,
    take: (at, n) => {
      for (let i = 0; i < n; i++) log.push(at)
      return standing(at)
    },
  }
}

/** Two counters: the last minute counts as far as it still reaches into the window. */
export function slidingCounter({ minute: limit }: Quota): Limiter {
  let window = 0
  let [before, now] = [0, 0]
  const standing = (at: number): Standing => {
    const current = Math.floor(at / 60_000)
    if (current !== window) [before, now, window] = [current === window + 1 ? now : 0, 0, current]
    const share = 1 - (at % 60_000) / 60_000
    const left = limit - now - Math.floor(before * share)
    const resetAt = (current + 1) * 60_000
    return { isFree: left > 0, limit, remaining: Math.max(0, left), resetAt, retryAt: resetAt }
  }
  return {
    look: standing,
    take: (at, n) => {
      standing(at)
      now += n
      return standing(at)
    },
  }
}
