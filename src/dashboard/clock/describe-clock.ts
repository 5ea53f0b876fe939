import { lengthOfTime } from '../design/time-text.ts'
import type { ClockReading } from './emulator-clock.ts'

type Clock = Pick<ClockReading, 'frozen' | 'scale' | 'aheadMs'>

/** Answers take some time to arrive. */
const toleranceMs = 1_000

export function isMoved({ frozen, scale, aheadMs }: Clock): boolean {
  return frozen || scale !== 1 || Math.abs(aheadMs) >= toleranceMs
}

/** `Frozen, 3 min behind real time.` */
export function describeClock({ frozen, scale, aheadMs }: Clock): string {
  const away = lengthOfTime(Math.abs(aheadMs))
  const speed = frozen ? 'Frozen' : scale === 1 ? 'It runs' : `It runs ${scale} times as fast`
  if (Math.abs(aheadMs) < toleranceMs)
    return scale === 1 ? 'The emulator goes by the clock of its machine.' : `${speed}.`
  return `${speed}, ${away} ${aheadMs > 0 ? 'ahead of' : 'behind'} real time.`
}
