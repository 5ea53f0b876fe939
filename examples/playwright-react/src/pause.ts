import { useEffect, useState } from 'react'
import type { Refusal } from './pet-service.ts'

/** A time in which the app makes no calls. Instants are those of `Date.now()`. */
export interface Pause {
  readonly kind: 'limit' | 'ban' | 'outage'
  readonly from: number
  readonly until: number
  /** The number of pauses since the last successful call, this one included. */
  readonly turn: number
}

/**
 * The pause after a refusal: as long as the service says, otherwise 1 s, 2 s, 4 s and so on, up to half a minute. A mistake
 * of the user needs none.
 */
export function pauseFor({ kind, retryAfterS }: Refusal, before?: Pause): Pause | undefined {
  if (kind === 'mistake') return undefined
  const turn = (before?.turn ?? 0) + 1
  const from = Date.now()
  const seconds = retryAfterS ?? Math.min(30, 2 ** (turn - 1))
  return { kind, from, until: from + seconds * 1000, turn }
}

/** The seconds left of a pause; 0 without one. */
export function useCountdown(pause: Pause | undefined): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (pause === undefined) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [pause])
  return pause === undefined ? 0 : Math.max(0, Math.ceil((pause.until - Math.max(now, pause.from)) / 1000))
}

/** `42` for less than a minute, else `4:07`. */
export function clockText(seconds: number): string {
  if (seconds < 60) return `${seconds}`
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
