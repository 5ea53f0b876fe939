import fc from 'fast-check'
import { expect, test } from 'vitest'
import { playBox } from '../../../../src/judges/box/play-box.ts'
import type { Box } from '../../../../src/judges/box/read-box.ts'
import { shorten, withCalls } from '../../../../src/judges/box/runs/shorten.ts'
import { createConduct } from '../../../../src/judges/conduct/conduct.ts'
import { conductContext } from '../../../../src/judges/conduct/judge-worlds.ts'
import { boxOf, type DrawnCall, drawnRun } from './planted-runs.ts'

async function findingsOf(box: Box): Promise<readonly string[]> {
  const player = await playBox(box)
  const { sandboxes } = player.emulator
  const conduct = createConduct(conductContext(name => sandboxes.get(name), sandboxes))
  for (let call = await player.step(); call !== undefined; call = await player.step())
    if (call.exchange !== undefined) conduct.add(call.exchange)
  return conduct.findings().map(({ id }) => id)
}

/** Calls that follow each other soon, so that many come before the end of a wait. */
const hasty = drawnRun.map(run =>
  run.map((call, index) => ({ ...call, at: Math.round(call.at / 8) + index })),
)

test('100 drawn runs: the result gives the finding, and loses it without any one call', async () => {
  let shown = 0
  await fc.assert(
    fc.asyncProperty(hasty, async run => {
      const box = await boxOf(run)
      const result = await shorten(box, playBox, { sought: undefined, maxRuns: 10_000 })
      fc.pre(result !== undefined)
      shown += 1
      const { finding, calls, start, isSmallest } = result
      expect(isSmallest).toBe(true)
      expect(start).toBeLessThanOrEqual(run.length)
      expect(await findingsOf(withCalls(box, calls))).toContain(finding)
      for (const call of calls)
        expect(
          await findingsOf(
            withCalls(
              box,
              calls.filter(one => one !== call),
            ),
          ),
        ).not.toContain(finding)
    }),
    { numRuns: 100, seed: 31 },
  )
  expect(shown).toBe(100)
})

const call = (at: number): DrawnCall => ({ at, method: 'GET', target: '/v1/pets', key: 'demo-free' })

test('it ends when no run is left, and says so', async () => {
  const box = await boxOf(Array.from({ length: 20 }, (_, index) => call(index * 100)))
  const result = await shorten(box, playBox, { sought: 'early-retry', maxRuns: 3 })
  expect(result).toMatchObject({ finding: 'early-retry', isSmallest: false, runs: 3 })
  expect(await findingsOf(withCalls(box, result?.calls ?? []))).toContain('early-retry')
})

test('a run without the finding is not shortened', async () => {
  const box = await boxOf([call(0), call(1_000)])
  expect(await shorten(box, playBox, { sought: undefined, maxRuns: 10 })).toBeUndefined()
  expect(await shorten(box, playBox, { sought: 'early-retry', maxRuns: 10 })).toBeUndefined()
})
