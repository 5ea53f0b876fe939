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

/** The last second that HTTP dates and instants can write. */
const lastInstant = Date.UTC(9999, 11, 31, 23, 59, 59)

export function startClock(start: ClockStart, wall: number): Clock {
  const at = start.at ?? Math.max(0, wall + (start.offsetMs ?? 0))
  return { at: Math.min(at, lastClockInstant), wall, scale: start.scale }
}

/** In whole milliseconds, so that rounding never keeps a window open that ends now. */
export function readClock(clock: Clock, wall: number): number {
  return Math.min(Math.round(clock.at + (wall - clock.wall) * clock.scale), lastClockInstant)
}

/**
 * An instant as the client gets it (A08). On a scaled clock it is the client's time at which the emulator reaches it, so
 * that a client which waits by its own clock waits long enough.
 */
export function clientInstant(clock: Clock, instant: number): number {
  if (clock.scale === 0 || clock.scale === 1) return instant
  const wall = Math.ceil(clock.wall + (instant - clock.at) / clock.scale)
  // Division rounds: a millisecond is a minute and more on a fast clock.
  return Math.min(readClock(clock, wall) < instant ? wall + 1 : wall, lastInstant)
}
