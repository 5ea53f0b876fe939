/**
 * The emulator's clock: it showed `at` at the real instant `wall`, and runs `scale` times as fast since. Moving,
 * freezing or scaling it assigns a new value; nothing is scheduled.
 */
export interface Clock {
  /** Milliseconds since the epoch, in the emulator's time. */
  readonly at: number
  /** Milliseconds since the epoch, in the door's time. */
  readonly wall: number
  /** 1: as fast as real time. 0: frozen. */
  readonly scale: number
  /** The offset that it started with, in its own milliseconds. A clock that was moved or frozen since has none. */
  readonly offsetMs?: number | undefined
}

/** How a clock starts. `at`: default is the real time, plus `offsetMs`. */
export interface ClockStart {
  readonly at: number | undefined
  readonly scale: number
  /** How far it is ahead of real time, in milliseconds. Not with `at`. */
  readonly offsetMs?: number | undefined
}

/** A clock stops here: 100 years later, the longest duration, the year still has four digits (A08). */
export const lastClockInstant = Date.UTC(9899, 11, 31, 23, 59, 59)

/** The first instant of the year 0: a time that began earlier is longer than any duration. */
export const firstInstant = Date.parse('0000-01-01T00:00:00Z')

/** The last second that HTTP dates and instants can write. */
const lastInstant = Date.UTC(9999, 11, 31, 23, 59, 59)

export function startClock({ at, scale, offsetMs }: ClockStart, wall: number): Clock {
  const shown = at ?? Math.max(0, wall + (offsetMs ?? 0))
  return { at: Math.min(shown, lastClockInstant), wall, scale, ...(scale !== 0 && { offsetMs }) }
}

/** In whole milliseconds, so that rounding never keeps a window open that ends now. */
export function readClock(clock: Clock, wall: number): number {
  return Math.min(Math.round(clock.at + (wall - clock.wall) * clock.scale), lastClockInstant)
}

/**
 * How far the client's instants are ahead of its own clock because the scenario says so, in real milliseconds. On a scaled
 * clock, the offset passes as fast as everything else. Undefined if the scenario does not say it.
 */
export function skewOf({ offsetMs, scale }: Clock): number | undefined {
  return offsetMs === undefined ? undefined : Math.round(offsetMs / scale)
}

/**
 * An instant as the client gets it (A08). On a scaled clock it is the client's time at which the emulator reaches it, so
 * that a client which waits by its own clock waits long enough.
 */
export function clientInstant(clock: Clock, instant: number): number {
  if (clock.scale === 0 || clock.scale === 1) return instant
  const wall = Math.ceil(clock.wall + (instant - clock.at) / clock.scale)
  // Division rounds: a millisecond is a minute and more on a fast clock.
  const reached = readClock(clock, wall) < instant ? wall + 1 : wall
  return Math.min(reached + (skewOf(clock) ?? 0), lastInstant)
}

/** The client's time of a call. `at`: the emulator's time of the same call. */
export function clientTime(clock: Clock, at: number, wall: number): number {
  // On a scaled clock, the client's own time: converted to and fro, it could be a second too early.
  return clock.scale === 0 || clock.scale === 1 ? at : wall + (skewOf(clock) ?? 0)
}

/** The start of a time once the clock is set back by some milliseconds: what has passed of it stays. */
export function movedBack(since: number, by: number): number {
  return Math.max(since - by, firstInstant)
}
