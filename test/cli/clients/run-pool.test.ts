import { expect, test } from 'vitest'
import { runPool } from '../../../src/cli/clients/run-pool.ts'

const never = new AbortController().signal
const turn = () => new Promise(resolve => setImmediate(resolve))

/** Runs tasks of a few turns each. Returns how many ran at once at most, and in which order they began. */
async function runAll(count: number, room: (running: number) => number) {
  let [running, most] = [0, 0]
  const begun: number[] = []
  const task = (at: number) => async () => {
    begun.push(at)
    running += 1
    most = Math.max(most, running)
    for (let turns = 0; turns < 3; turns += 1) await turn()
    running -= 1
  }
  await runPool(
    Array.from({ length: count }, (_, at) => task(at)),
    room,
    never,
  )
  return { most, begun }
}

test.each([1, 2, 9])('at most %i at once, in order', async jobs => {
  expect(await runAll(7, running => jobs - running)).toEqual({
    most: Math.min(7, jobs),
    begun: [0, 1, 2, 3, 4, 5, 6],
  })
})

test('as many more as there is room for, also when no task ends', async () => {
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  let begun = 0
  const tasks = Array.from({ length: 4 }, () => async () => {
    begun += 1
    if (begun === 4) release()
    await held
  })
  await runPool(tasks, () => 1, never)
  expect(begun).toBe(4)
})

test('nothing to do', async () => {
  expect(await runAll(0, () => 1)).toEqual({ most: 0, begun: [] })
})

test('after a failure no task begins, and those under way end first', async () => {
  const events: string[] = []
  const tasks = [
    async () => {
      await turn()
      throw new Error('broken')
    },
    async () => {
      for (let turns = 0; turns < 5; turns += 1) await turn()
      events.push('ended')
    },
    async () => {
      events.push('begun')
    },
  ]
  await expect(runPool(tasks, running => 2 - running, never)).rejects.toThrow('broken')
  expect(events).toEqual(['ended'])
})

test('after a stop no task begins', async () => {
  const stop = new AbortController()
  let begun = 0
  const task = async () => {
    begun += 1
    stop.abort()
  }
  await runPool([task, task], running => 1 - running, stop.signal)
  expect(begun).toBe(1)
})
