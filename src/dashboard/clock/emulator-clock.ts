import { computed, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { App } from '../app/app.ts'
import { lengthOfTime } from '../design/format.ts'
import type { Answer } from '../plane/plane.ts'
import { useLive } from '../state/live.ts'

export type ClockReading = Answer<'getClock'> & Pick<Answer<'getMoments'>, 'aheadMs'>

export type EmulatorClock = ReturnType<typeof useEmulatorClock>

/** How often a running clock moves on the page, in milliseconds. */
const tickMs = 200

/** The clock of the sandbox, which runs in this page between two answers, and stands still while nobody looks. */
export function useEmulatorClock(app: Pick<App, 'plane' | 'connection' | 'sandbox'>) {
  const { plane, connection, sandbox } = app
  const load = async () => {
    const query = { sandbox: sandbox.value }
    const { aheadMs } = await plane.call('getMoments', { query })
    const clock = await plane.call('getClock', { query })
    return { clock: { ...clock, aheadMs }, readAt: performance.now() }
  }
  const live = useLive(connection, load, [sandbox.value], 'changes')
  const now = useMemo(() => signal(performance.now()), [])
  useEffect(() => {
    const timer = setInterval(() => {
      if (connection.status.peek().kind !== 'hidden') now.value = performance.now()
    }, tickMs)
    return () => clearInterval(timer)
  }, [connection])
  return useMemo(() => {
    const read = live.value
    const passedMs = () => Math.max(0, now.value - (read.value?.readAt ?? now.value))
    // Only a clock with another speed drifts.
    const aheadMs = computed(() => {
      const { aheadMs = 0, scale = 1 } = read.value?.clock ?? {}
      return scale === 1 ? aheadMs : Math.trunc((aheadMs + (scale - 1) * passedMs()) / 1_000) * 1_000
    })
    const timeOn = ({ at, scale }: ClockReading) => Date.parse(at) + scale * passedMs()
    return {
      /** Milliseconds since the epoch. Nothing on the page shows less than a second, so that nothing is drawn more often. */
      at: computed(() => read.value && Math.floor(timeOn(read.value.clock) / 1_000) * 1_000),
      reading: computed(
        (): ClockReading | undefined => read.value && { ...read.value.clock, aheadMs: aheadMs.value },
      ),
      error: live.error,
      reload: live.reload,
    }
  }, [live])
}

/** Buttons that move the clock forward, and how far. */
export const clockSteps = { '+1 s': '1s', '+1 min': '1m', '+1 h': '1h' } as const

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
