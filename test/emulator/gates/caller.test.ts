import { expect, test } from 'vitest'
import { createCallerReader } from '../../../src/emulator/gates/caller.ts'

/** A reader that counts how often it reads headers anew. */
function countingReader() {
  let reads = 0
  const read = createCallerReader(() => {
    reads += 1
    return { headers: {}, refusal: undefined }
  }, false)
  return { read, reads: () => reads }
}

const headersOf = (key: string, ...more: readonly string[]) => [
  'Host',
  '127.0.0.1',
  'Authorization',
  `Bearer ${key}`,
  ...more,
]

test('a thousand clients in turn are read once each, and each has its own key', () => {
  const { read, reads } = countingReader()
  for (let round = 0; round < 3; round += 1)
    for (let client = 0; client < 1_000; client += 1)
      expect(read(headersOf(`key-${client}`)).credential).toEqual({ kind: 'key', text: `key-${client}` })
  expect(reads()).toBe(1_000)
})

test('four sets of headers of a client are known', () => {
  const { read, reads } = countingReader()
  for (let round = 0; round < 3; round += 1)
    for (const length of ['1', '2', '3', '4']) read(headersOf('demo', 'Content-Length', length))
  expect(reads()).toBe(4)
})

test('a list of headers that comes again takes no second place', () => {
  const { read, reads } = countingReader()
  const [a, b, c] = ['1', '2', '3'].map(length => headersOf('demo', 'Content-Length', length))
  for (const headers of [a, b, c, a, b, a, b, a, b, c]) read(headers ?? [])
  expect(reads()).toBe(3)
})

test('two calls without a key are of one client only if their other headers are the same', () => {
  const { read } = countingReader()
  const one = read(['Host', 'a'])
  expect(read(['Host', 'b']).host).toBe('b')
  expect(read(['Host', 'a'])).toBe(one)
})

test('what comes in between or is too large is read anew, and still right', () => {
  const { read, reads } = countingReader()
  const large = 'x'.repeat(5_000)
  for (let round = 0; round < 2; round += 1)
    for (const key of ['a', 'b'])
      expect(read(headersOf(key, 'Cookie', large)).credential).toEqual({ kind: 'key', text: key })
  expect(reads()).toBe(4)
  for (let client = 0; client < 3_000; client += 1) read(headersOf(`key-${client}`))
  expect(read(headersOf('key-0')).credential).toEqual({ kind: 'key', text: 'key-0' })
  expect(reads()).toBe(4 + 3_000 + 1)
})

test.each([
  [4_096, 1],
  [4_097, 2],
])('headers of %i bytes are read %i times', (bytes, times) => {
  const { read, reads } = countingReader()
  // Each text costs 24 bytes besides its characters.
  const rest = headersOf('a', 'Cookie', '').reduce((sum, text) => sum + 24 + text.length, 0)
  const headers = headersOf('a', 'Cookie', 'x'.repeat(bytes - rest))
  read(headers)
  read(headersOf('b'))
  read(headers)
  expect(reads() - 1).toBe(times)
})
