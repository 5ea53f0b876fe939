import { setImmediate as nextTick } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { TextStream } from '../../../src/cli/terminal/io.ts'
import { createLineWriter } from '../../../src/cli/terminal/line-writer.ts'

/** A stream that remembers what was written to it, and whose reader can stop reading or go away. */
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
  const writer = createLineWriter<number>({
    stream,
    format: item => `line ${item}`,
    formatLeftOut: count => `${count} left out`,
  })
  return { state, writer }
}

it('writes once a tick, however many lines there are', async () => {
  const { state, writer } = createStream()
  writer.add(1)
  writer.add(2)
  expect(state.writes).toEqual([])
  await nextTick()
  expect(state.writes).toEqual(['line 1\nline 2\n'])
  writer.add(3)
  await nextTick()
  expect(state.writes).toEqual(['line 1\nline 2\n', 'line 3\n'])
})

it('writes what is waiting when it is flushed, and says when it is done', () => {
  const { state, writer } = createStream()
  let done = false
  writer.add(1)
  writer.flush(() => {
    done = true
  })
  expect(state.writes).toEqual(['line 1\n'])
  expect(done).toBe(true)
})

it('leaves lines out while nobody reads, and tells how many', async () => {
  const { state, writer } = createStream()
  state.writableLength = 2_000_000
  writer.add(1)
  await nextTick()
  writer.add(2)
  await nextTick()
  expect(state.writes).toEqual([])
  state.writableLength = 0
  writer.add(3)
  await nextTick()
  expect(state.writes).toEqual(['2 left out\nline 3\n'])
})

it('tells how many were left out when it is flushed and nothing follows', async () => {
  const { state, writer } = createStream()
  state.writableLength = 2_000_000
  writer.add(1)
  await nextTick()
  writer.add(2)
  writer.flush(() => {})
  expect(state.writes).toEqual(['2 left out\n'])
  writer.flush(() => {})
  expect(state.writes).toEqual(['2 left out\n'])
})

it('is silent when the reader has gone away', async () => {
  const { state, writer } = createStream()
  writer.add(1)
  state.breakPipe(new Error('EPIPE'))
  writer.add(2)
  await nextTick()
  let done = false
  writer.flush(() => {
    done = true
  })
  expect(state.writes).toEqual([])
  expect(done).toBe(true)
})
