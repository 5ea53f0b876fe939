import { expect, test, vi } from 'vitest'
import { busy, type Rhythm, usual } from '../../src/dashboard/state/pace.ts'
import { createPulse } from '../../src/dashboard/state/pulse.ts'

/** How often work is done in ten seconds in which somebody always wants it. */
async function countWork(workMs: number, rhythm: Rhythm): Promise<number> {
  let count = 0
  const pulse = createPulse(
    async () => {
      count += 1
      await new Promise(resolve => setTimeout(resolve, workMs))
    },
    () => rhythm,
  )
  for (let at = 0; at < 10_000; at += 50) {
    pulse.want()
    await vi.advanceTimersByTimeAsync(50)
  }
  pulse.stop()
  return count
}

test('quick work is done four times a second, slow work takes a fifth of the time, and both less while calls come fast', async ({
  onTestFinished,
}) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  expect(await countWork(5, usual)).toBeGreaterThanOrEqual(38)
  expect(await countWork(5, usual)).toBeLessThanOrEqual(41)
  expect(await countWork(500, usual)).toBeLessThanOrEqual(5)
  expect(await countWork(500, usual)).toBeGreaterThanOrEqual(3)
  expect(await countWork(5, busy)).toBeLessThanOrEqual(11)
  expect(await countWork(200, busy)).toBeLessThanOrEqual(4)
})

test('work that takes two seconds rests for five', async ({ onTestFinished }) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  expect(await countWork(2_000, usual)).toBe(2)
  expect(await countWork(2_000, busy)).toBe(2)
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
    () => usual,
  )
  pulse.want()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(count).toBe(2)
})
