/**
 * The emulator's clock: at the wall instant `wall` it stood at `at`, and it runs `scale` times as fast since.
 * Moving, freezing or scaling it is an assignment of a new value; nothing is scheduled anywhere.
 */
export interface Clock {
  /** Milliseconds since the epoch, in the emulator's time. */
  readonly at: number
  /** Milliseconds since the epoch, in the door's time. */
  readonly wall: number
  /** 1: as fast as real time. 0: frozen. */
  readonly scale: number
}

/** How a clock starts: from an instant or from the wall's, and how fast it runs. */
export interface ClockStart {
  readonly at: number | undefined
  readonly scale: number
}

export function startClock(start: ClockStart, wall: number): Clock {
  return { at: start.at ?? wall, wall, scale: start.scale }
}

/** In whole milliseconds: a window that ends now is over, whatever a fraction was rounded to. */
export function readClock(clock: Clock, wall: number): number {
  return Math.round(clock.at + (wall - clock.wall) * clock.scale)
}

/**
 * The instant that a client is told for `instant` (A08): the emulator's own time, or, on a scaled clock, the
 * client's time at which it will be reached, so that a client which waits by its own clock waits rightly.
 */
export function clientInstant(clock: Clock, instant: number): number {
  if (clock.scale === 0 || clock.scale === 1) return instant
  return clock.wall + (instant - clock.at) / clock.scale
}
