import { tmpdir } from 'node:os'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepState } from '../../../../src/cli/start/state/keep-state.ts'
import { createEmulator } from '../../../../src/emulator/emulator.ts'
import { changing } from '../../../support/changes.ts'
import { scenarioOf } from '../../../support/scenarios.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const full = Object.assign(new Error('no space left'), { syscall: 'write', code: 'ENOSPC' })

/** A keeper of a file that takes `tookMs` to write, and blocks calls for `busyMs` of that. */
function keep({ tookMs = 5, busyMs = 1, isSaved = true } = {}) {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: 0 })
  const change = changing(emulator)
  const saves: { readonly began: number; readonly ended: number; readonly pets: number }[] = []
  const notices: string[] = []
  const disk = { isFull: false, isTemporaryFull: false }
  const file = {
    name: 's.json',
    path: '/a/s.json',
    release: async () => {},
    writeElsewhere: async () => {
      if (disk.isTemporaryFull) throw full
      return '/tmp/x/s.json'
    },
    write: async (pieces: () => Iterable<string>) => {
      const began = performance.now()
      const pets = [...pieces()].join('').match(/"Rex"/g)?.length ?? 0
      await new Promise(resolve => setTimeout(resolve, tookMs))
      if (disk.isFull) throw full
      saves.push({ began, ended: performance.now(), pets })
      return { bytes: 1_000, busyMs }
    },
  }
  const reporter = {
    notice: (text: string) => notices.push(text),
    failure: (error: unknown) => notices.push(`failed: ${error}`),
  }
  const { begin, saveNow, end } = keepState(emulator, file, reporter, isSaved)
  begin()
  const addPet = () => {
    const { ok } = change({ do: 'addPet', name: 'Rex', categoryId: 1 })
    expect(ok).toBe(true)
  }
  /** A pet every 10 ms. */
  const writeFor = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 10) {
      addPet()
      await vi.advanceTimersByTimeAsync(10)
    }
  }
  return { end, saveNow, saves, notices, disk, addPet, writeFor }
}

test('nothing is saved while nothing changes', async () => {
  const { saves, end } = keep()
  await vi.advanceTimersByTimeAsync(60_000)
  await end()
  expect(saves).toEqual([])
})

test('a state without a file is saved at once', async () => {
  const { saves } = keep({ isSaved: false })
  await vi.advanceTimersByTimeAsync(10)
  expect(saves).toHaveLength(1)
})

test('one change is saved soon, and once', async () => {
  const { saves, addPet } = keep()
  await vi.advanceTimersByTimeAsync(60_000)
  addPet()
  await vi.advanceTimersByTimeAsync(110)
  expect(saves).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(saves).toHaveLength(1)
})

test.each([1, 20, 80])(
  'with changes all the time and saves of %d ms, the file is at most a second old',
  async tookMs => {
    const { saves, writeFor } = keep({ tookMs })
    await writeFor(20_000)
    for (const [index, { ended }] of saves.entries()) {
      const before = saves[index - 1]
      if (before !== undefined) expect(ended - before.began).toBeLessThanOrEqual(1_000 + 1)
    }
    expect(saves.length).toBeGreaterThanOrEqual(20)
    expect(saves.length).toBeLessThanOrEqual(20 / ((1_000 - tookMs) / 1_000) + 1)
  },
)

test.each<[busyMs: number, tookMs: number, everyMs: number]>([
  [50, 50, 950],
  [100, 100, 2_000],
  [400, 450, 8_000],
])('saves that block calls for %d of %d ms come every %d ms', async (busyMs, tookMs, everyMs) => {
  const { saves, writeFor } = keep({ busyMs, tookMs })
  await writeFor(40_000)
  const [, second, third] = saves
  const between = (third?.began ?? 0) - (second?.began ?? 0)
  expect(between).toBeGreaterThanOrEqual(Math.max(everyMs, busyMs * 20 - 1) - 50)
  expect(between).toBeLessThanOrEqual(Math.max(everyMs, busyMs * 20) + 10)
})

test('a slow disk is not written to twice at once', async () => {
  const { saves, writeFor } = keep({ tookMs: 3_000 })
  await writeFor(20_000)
  for (const [index, { began }] of saves.entries())
    expect(began).toBeGreaterThanOrEqual(saves[index - 1]?.ended ?? 0)
  expect(saves.length).toBeGreaterThan(4)
})

test('the end waits for the running save, then saves what changed since', async () => {
  const { saves, end, addPet } = keep({ tookMs: 50 })
  addPet()
  await vi.advanceTimersByTimeAsync(10)
  addPet()
  const ended = end()
  await vi.advanceTimersByTimeAsync(200)
  await ended
  expect(saves.map(({ pets }) => pets)).toEqual([1, 2])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(saves).toHaveLength(2)
})

test('a full disk is reported once, retried, and reported when it is over', async () => {
  const { saves, notices, disk, writeFor } = keep()
  disk.isFull = true
  await writeFor(10_000)
  expect(notices).toEqual([
    'Cannot save s.json (the disk is full). The server keeps running, and tries again to save.',
  ])
  disk.isFull = false
  await writeFor(2_000)
  expect(notices.slice(1)).toEqual(['Saving s.json works again.'])
  expect(saves.length).toBeGreaterThan(0)
})

test.each<[isTemporaryFull: boolean, notice: string]>([
  [
    false,
    'Cannot save s.json (the disk is full). The whole state is in /tmp/x/s.json instead. To continue from it, move it, or start with --state /tmp/x/s.json.',
  ],
  [
    true,
    `Cannot save s.json (the disk is full), nor a copy in ${tmpdir()} (the disk is full). Changes since the start are lost.`,
  ],
])(
  'a disk that is full at the end is no success; is the second one full: %j',
  async (isTemporaryFull, notice) => {
    const { notices, disk, addPet, end } = keep()
    Object.assign(disk, { isFull: true, isTemporaryFull })
    addPet()
    const ended = end()
    await vi.advanceTimersByTimeAsync(100)
    expect(await ended).toBe(false)
    expect(notices).toEqual([notice])
  },
)

test('a save that was asked for has everything before it, and callers share it', async () => {
  const { saves, addPet, saveNow } = keep({ tookMs: 50 })
  addPet()
  await vi.advanceTimersByTimeAsync(110)
  addPet()
  // The first save still runs, and lacks the second pet.
  const asked = Array.from({ length: 100 }, () => saveNow())
  await vi.advanceTimersByTimeAsync(45)
  expect(saves.map(({ pets }) => pets)).toEqual([1])
  await vi.advanceTimersByTimeAsync(50)
  expect(await Promise.all(asked)).toEqual(
    Array.from({ length: 100 }, () => expect.objectContaining({ ok: true, file: '/a/s.json', bytes: 1_000 })),
  )
  expect(saves.map(({ pets }) => pets)).toEqual([1, 2])
})

test('a save that was asked for says why it cannot be', async () => {
  const { disk, saveNow } = keep()
  disk.isFull = true
  const asked = saveNow()
  await vi.advanceTimersByTimeAsync(10)
  expect(await asked).toMatchObject({ ok: false, problem: 'Cannot save s.json (the disk is full)' })
})
