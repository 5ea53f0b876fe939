import { expect, test } from 'vitest'
import { createChange } from '../../../src/control/change/change.ts'
import { createEventRunner } from '../../../src/control/change/run-event.ts'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { OpenAreas } from '../../../src/emulator/gates/open-areas.ts'
import { playBox } from '../../../src/judges/box/play-box.ts'
import { readBox } from '../../../src/judges/box/read-box.ts'
import { recordBox } from '../../../src/judges/box/record-box.ts'
import { reply } from '../../../src/service/call/answer.ts'
import type { Call } from '../../../src/service/call/call.ts'
import { settleNamed, worldsOf } from './drawn-runs.ts'

const start = Date.parse('2026-03-02T09:00:00Z')
const about = { version: '0.0.0', door: 'fetch' } as const
const get = (target: string, key = 'demo-free', at = 0): Call => ({
  method: 'GET',
  target,
  headers: ['Host', 'localhost', 'Authorization', `Bearer ${key}`],
  body: undefined,
  scheme: 'http',
  client: '127.0.0.1',
  receivedAt: start + at,
})

function begin(name = 'free-plan') {
  const emulator = createEmulator({
    scenario: settleNamed(name),
    startedAt: start,
    runEvent: createEventRunner('fetch'),
  })
  return { emulator, recorder: recordBox(emulator, about) }
}

/** Plays a box to its end. Every response must be the same. */
async function playAll(lines: string, options?: Parameters<typeof playBox>[1]) {
  const box = await readBox([lines])
  const player = await playBox(box, options)
  const numbers: number[] = []
  for (let call = await player.step(); call !== undefined; call = await player.step()) {
    expect(call.isSame, `call ${call.number}`).toBe(true)
    numbers.push(call.number)
  }
  return { ...player, numbers }
}

test('a run with more sandboxes than pet-mock keeps', async () => {
  const { emulator, recorder } = begin()
  for (let n = 0; n < 1_005; n += 1) emulator.handle(get('/v1/pets', `demo-free+w-${n}`, n))
  for (const n of [500, 1, 700]) emulator.handle(get('/v1/pets', `demo-free+w-${n}`, 2_000))
  expect(emulator.sandboxes.dropped.size).toBeGreaterThan(5)
  const played = await playAll(recorder.end())
  expect(worldsOf(played.emulator)).toBe(worldsOf(emulator))
})

test('each part of a box needs no earlier one', async () => {
  const { emulator, recorder } = begin('own')
  const change = createChange(emulator.sandboxes, shippedFixtures)
  for (let n = 0; n < 30; n += 1) emulator.handle(get('/v1/pets/1', 'partner-live-0123456789', n))
  const first = recorder.take()
  expect(recorder.beginPart()).toBe(true)
  change(undefined, { do: 'advanceClock', by: '20s' }, start + 50)
  for (let n = 0; n < 30; n += 1) emulator.handle(get('/v1/pets/2', 'partner-live-0123456789', 60 + n))
  const second = recorder.end()
  const part = await playAll(second)
  expect(part.numbers).toEqual(Array.from({ length: 30 }, (_, n) => 31 + n))
  expect((await playAll(first + second)).numbers).toHaveLength(60)
})

/** An area that counts its calls in the world, at a speed that each call chooses. */
function slowArea(): OpenAreas {
  let calls = 0
  return {
    paths: ['/v1/slow'],
    methods: ['GET'],
    methodsAt: path => (path.startsWith('/v1/slow') ? ['GET'] : []),
    source: { file: 'slow.yaml', only: [], digest: '', files: {} },
    find: path =>
      path.startsWith('/v1/slow')
        ? {
            id: 'slow',
            source: 'mocker',
            stability: undefined,
            answer: async ({ target }) => {
              await new Promise(resolve => setTimeout(resolve, Number(target.query)))
              calls += 1
              return reply(200, `"${calls}"`)
            },
          }
        : undefined,
  }
}

test('calls to open areas that are under way at once take effect in their order', async () => {
  const emulator = createEmulator({ scenario: settleNamed('free-plan'), startedAt: start })
  emulator.openAreas(slowArea())
  const recorder = recordBox(emulator, about)
  const slow = emulator.answer(get('/v1/slow?20'))
  const quick = emulator.answer(get('/v1/slow?1', 'demo-free', 1))
  expect(recorder.beginPart()).toBe(false)
  emulator.handle(get('/v1/pets', 'demo-free', 2))
  expect((await quick).body).toBe('"2"')
  expect((await slow).body).toBe('"1"')
  emulator.handle(get('/v1/pets', 'demo-free', 3))
  const lines = recorder.end()
  const played = await playAll(lines, { loadAreas: async () => slowArea() })
  expect(played.numbers).toEqual([3, 1, 2, 4])
  expect(worldsOf(played.emulator)).toBe(worldsOf(emulator))
  await expect(playAll(lines)).rejects.toThrow('this box serves a contract')
})
