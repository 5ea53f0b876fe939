import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boxOfSandbox } from '../../../src/judges/box/box-of-sandbox.ts'
import { playBox } from '../../../src/judges/box/play-box.ts'
import { readBox } from '../../../src/judges/box/read-box.ts'
import { drawnRun, record } from './drawn-runs.ts'

const list = (key: string) => ({
  call: { method: 'GET', target: '/v1/pets', header: ['Authorization', `Bearer ${key}`], body: '' },
})

async function play(lines: string) {
  const player = await playBox(await readBox([lines]))
  const played = []
  for (let call = await player.step(); call !== undefined; call = await player.step()) played.push(call)
  return played
}

/** The system's clock went back before the start of the box, and goes back again when another sandbox is called. */
const clockWentBack: Parameters<typeof record>[0] = {
  scenario: 'free-plan',
  before: 3,
  steps: [
    { ...list('demo-free'), pass: 0 },
    { ...list('demo-free'), pass: -120_000 },
    { ...list('demo-free+worker-3'), pass: 1_107 },
    { ...list('demo-free'), pass: -120_000 },
    { ...list('demo-free+worker-3'), pass: 893 },
  ],
}

test('the box of a sandbox has its calls alone, and gives the same responses', async () => {
  await fc.assert(
    fc.asyncProperty(drawnRun, fc.constantFrom('default', 'a', 'worker-3'), async (run, sandbox) => {
      const { lines } = record(run)
      const nameOf = ({ sandbox: name = 'default' }) => name
      const all = (await play(lines)).filter(({ expected }) => nameOf(expected) === sandbox)
      const own = await play(boxOfSandbox(lines, sandbox))
      expect(own.map(({ isSame }) => isSame)).toEqual(all.map(({ isSame }) => isSame))
      expect(own.map(({ reply }) => reply)).toEqual(all.map(({ reply }) => reply))
      expect(own.map(({ number }) => number)).toEqual(own.map((_, index) => index + 1))
    }),
    { numRuns: 50, examples: [[clockWentBack, 'worker-3']] },
  )
})

test('it has times of other sandboxes only where the clock of the system went back', () => {
  const timesOf = (run: Parameters<typeof record>[0]) =>
    boxOfSandbox(record(run).lines, 'worker-3')
      .split('\n')
      .filter(line => line.startsWith('{"time"')).length
  const forward = clockWentBack.steps.map(step => ({ ...step, pass: 1_000 }))
  expect(timesOf({ ...clockWentBack, steps: forward })).toBe(0)
  expect(timesOf(clockWentBack)).toBeGreaterThan(0)
})

test('it holds nothing that other sandboxes sent', () => {
  const call = (name: string, pet: string) => ({
    call: {
      method: 'POST',
      target: '/v1/pets',
      header: ['Authorization', `Bearer demo-free+${name}`],
      body: `{"name":"${pet}","categoryId":1}`,
    },
    pass: 1,
  })
  const { lines } = record({ scenario: 'free-plan', before: 0, steps: [call('a', 'Rex'), call('b', 'Ada')] })
  const own = boxOfSandbox(lines, 'a')
  expect([own.includes('Rex'), own.includes('Ada'), own.includes('demo-free+b')]).toEqual([
    true,
    false,
    false,
  ])
})
