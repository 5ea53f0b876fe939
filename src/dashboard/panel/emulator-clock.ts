import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PlaneClock } from '../../generated/plane-operations.ts'

/** How often a shown time changes, in milliseconds. */
const tickMs = 500

/** The time on a clock that was read a while ago, in milliseconds since the epoch. */
export interface ClockReading {
  readonly clock: PlaneClock
  /** `performance.now()` when it was read. */
  readonly readAt: number
}

export function timeOf({ clock, readAt }: ClockReading): number {
  return Date.parse(clock.at) + (performance.now() - readAt) * clock.scale
}

/** Shows a component again twice a second, as long as somebody looks. */
export function useTick(): void {
  const ticks = useSignal(0)
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState !== 'hidden') ticks.value += 1
    }, tickMs)
    return () => clearInterval(timer)
  }, [])
  void ticks.value
}

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** `1 h 5 min`: the two largest units of a duration. */
export function roughly(ms: number): string {
  let seconds = Math.ceil(Math.abs(ms) / 1_000)
  const parts = units.flatMap(([unit, size]) => {
    const count = Math.floor(seconds / size)
    seconds -= count * size
    return count === 0 ? [] : [`${count} ${unit}`]
  })
  return parts.slice(0, 2).join(' ') || '0 s'
}
