import { setImmediate as nextTick } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createLineWriter } from '../../../src/cli/log/reporter.ts'
import type { TextStream } from '../../../src/cli/terminal/io.ts'

/** A stream that records its writes, and whose reader can stop reading or go away. */
function createStream() {
  const state = { writes: [] as string[], writableLength: 0, breakPipe: (_: Error) => {} }
  const stream: TextStream = {
    get writableLength() {
      return state.writableLength
    },
    write: (text, done) => {
      if (text !== '') state.writes.push(text)
      done?.()
      return true
    },
    on: (_, listener) => {
      state.breakPipe = listener
    },
  }
  const { add, flush } = createLineWriter(stream, count => `${count} skipped`)
  return { state, add: (item: number) => add(() => `line ${item}`), flush }
}

it('writes once a tick, however many lines there are', async () => {
  const { state, add } = createStream()
  add(1)
  add(2)
  expect(state.writes).toEqual([])
  await nextTick()
  expect(state.writes).toEqual(['line 1\nline 2\n'])
  add(3)
  await nextTick()
  expect(state.writes).toEqual(['line 1\nline 2\n', 'line 3\n'])
})

it('flush writes the queue and calls back', () => {
  const { state, add, flush } = createStream()
  let done = false
  add(1)
  flush(() => {
    done = true
  })
  expect(state.writes).toEqual(['line 1\n'])
  expect(done).toBe(true)
})

it('skips lines while nobody reads, and counts them in the next write', async () => {
  const { state, add } = createStream()
  state.writableLength = 2_000_000
  add(1)
  await nextTick()
  add(2)
  await nextTick()
  expect(state.writes).toEqual([])
  state.writableLength = 0
  add(3)
  await nextTick()
  expect(state.writes).toEqual(['2 skipped\nline 3\n'])
})

it('flush reports the skipped lines, once', async () => {
  const { state, add, flush } = createStream()
  state.writableLength = 2_000_000
  add(1)
  await nextTick()
  add(2)
  flush(() => {})
  expect(state.writes).toEqual(['2 skipped\n'])
  flush(() => {})
  expect(state.writes).toEqual(['2 skipped\n'])
})

it('writes nothing after the reader has gone away', async () => {
  const { state, add, flush } = createStream()
  add(1)
  state.breakPipe(new Error('EPIPE'))
  add(2)
  await nextTick()
  let done = false
  flush(() => {
    done = true
  })
  expect(state.writes).toEqual([])
  expect(done).toBe(true)
})
