import { expect, test, vi } from 'vitest'
import { createPulse } from '../../src/dashboard/state/pulse.ts'

/** How often work is done in ten seconds in which somebody always wants it. */
async function countWork(workMs: number): Promise<number> {
  let count = 0
  const pulse = createPulse(
    async () => {
      count += 1
      await new Promise(resolve => setTimeout(resolve, workMs))
    },
    () => 250,
  )
  for (let at = 0; at < 10_000; at += 50) {
    pulse.want()
    await vi.advanceTimersByTimeAsync(50)
  }
  pulse.stop()
  return count
}

test('quick work is done four times a second, and slow work takes a twentieth of the time at most', async ({
  onTestFinished,
}) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  expect(await countWork(5)).toBeGreaterThanOrEqual(38)
  expect(await countWork(5)).toBeLessThanOrEqual(41)
  expect(await countWork(100)).toBeLessThanOrEqual(6)
  expect(await countWork(100)).toBeGreaterThanOrEqual(4)
})

test('what is wanted during the work is done once more', async ({ onTestFinished }) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let count = 0
  const pulse = createPulse(
    async () => {
      count += 1
      if (count === 1) pulse.want()
    },
    () => 250,
  )
  pulse.want()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(count).toBe(2)
})
