import { expect, test } from 'vitest'
import { playBox } from '../../../src/judges/box/play-box.ts'
import { diffRuns, readRun } from '../../../src/judges/box/runs/diff.ts'
import { boxOf, type DrawnCall } from './runs/planted-runs.ts'

const call = (at: number, target = '/v1/pets'): DrawnCall => ({ at, method: 'GET', target, key: 'demo-free' })

async function runOf(calls: readonly DrawnCall[]) {
  const box = await boxOf(calls, 0)
  return readRun({ box, player: await playBox(box) })
}

test('a difference names all calls that filled the minute, and that only one run has', async () => {
  const green = [...[0, 1_000, 2_000, 3_000].map(at => call(at)), call(9_000, '/v1/pets/1')]
  const red = [...[0, 1_000, 1_300, 1_600, 2_000, 3_000].map(at => call(at)), call(9_100, '/v1/pets/1')]
  const differences = diffRuns(await runOf(green), await runOf(red))
  expect(differences.at(-1)?.sentence).toBe(
    'Call 7 (GET /v1/pets/1), call 5 of the green run, got 429 rate_limit_exceeded instead of 200: the minute was full, also by call 3, 4, which only one run has.',
  )
})

test('a difference names the change that only one run had before it', async () => {
  const change = { do: 'changeKey', key: 'demo-free', used: { minute: 5 } } as const
  const green = await runOf([call(0), call(1_000)])
  const red = await runOf([call(0), { ...call(1_000), change }])
  expect(diffRuns(green, red).at(-1)?.sentence).toBe(
    'Call 2 (GET /v1/pets) got 429 rate_limit_exceeded instead of 200: the red run had the change changeKey { key: demo-free, used: { minute: 5 } } before it.',
  )
})
