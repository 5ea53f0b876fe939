import { expect, test } from 'vitest'
import type { Reply } from '../../src/service/call/call.ts'
import { checkLane } from '../../tools/fuzz/check-lane.ts'
import { growthOf } from '../../tools/fuzz/heap.ts'
import { httpLane } from '../../tools/fuzz/lanes/http.ts'
import { mangledLane } from '../../tools/fuzz/lanes/mangled.ts'
import { type Plant, startPlanted } from './planted-server.ts'

const answer = (reply: Reply, status: number, body: string): Reply => ({
  status,
  headers: {
    ...reply.headers,
    'Content-Type': 'application/json',
    'Content-Length': `${Buffer.byteLength(body)}`,
  },
  body,
})
const error = (status: number, message: string) => JSON.stringify({ code: 'x', message, status })

const faults: Readonly<Record<string, readonly [Plant, RegExp]>> = {
  'a failure': [
    (reply, { method }) => (method === 'DELETE' ? answer(reply, 500, error(500, 'It failed.')) : reply),
    /^A failure: 500/,
  ],
  'an answer outside the Error shape': [
    (reply, { method }) => (method === 'DELETE' ? answer(reply, 405, '{"error":"no"}') : reply),
    /^An answer outside the Error shape: 405/,
  ],
  'a stack in an answer': [
    (reply, { method }) =>
      method === 'DELETE'
        ? answer(reply, 405, error(405, 'TypeError: x\n    at handle (server.ts:1:1)'))
        : reply,
    /^A stack or a path: 405/,
  ],
  'an answer that goes on after its announced end': [
    (reply, { method }) =>
      method === 'DELETE' ? { ...reply, headers: { ...reply.headers, 'Content-Length': '1' } } : reply,
    /^(?:Not a status line|Bytes after the last reply|An answer outside)/,
  ],
  'a pet of another request': [
    (reply, { method }) =>
      method === 'POST' && reply.status === 201
        ? answer(reply, 201, '{"id":7,"name":"x","categoryId":1}')
        : reply,
    /^Not the pet pet-/,
  ],
  'a body that is longer than announced': [
    (reply, { method }) =>
      method === 'OPTIONS' ? { ...reply, headers: { ...reply.headers, 'content-length': '1' } } : reply,
    /204 with a body|A header that is broken or repeated|Content-Length/,
  ],
}

test.for(Object.entries(faults))('finds %s, and the path leads to it again', async ([, [plant, problem]]) => {
  const lane = httpLane(startPlanted(plant))
  const { failure } = await checkLane(lane, { seed: 1, inputs: 2_000 })
  expect(failure?.problem).toMatch(problem)
  const again = await checkLane(lane, { seed: 1, inputs: 2_000, path: failure?.path })
  expect(again.cases).toBe(1)
  expect(again.failure?.problem).toMatch(problem)
})

test('shrinks a case to the one request that fails', async () => {
  const plant: Plant = (reply, { target }) =>
    target.includes('pets/77') ? answer(reply, 500, error(500, 'It failed.')) : reply
  const { failure } = await checkLane(httpLane(startPlanted(plant)), { seed: 3, inputs: 20_000 })
  expect(failure?.input.match(/HTTP\/1\.1/g)?.length).toBeLessThanOrEqual(4)
  expect(failure?.input).toContain('GET /v1/pets/77 HTTP/1.1')
})

test('finds a failure behind bytes that are no HTTP', async () => {
  const plant: Plant = (reply, { body }) =>
    body !== undefined && body.length > 1_000 ? answer(reply, 500, error(500, 'It failed.')) : reply
  const { failure } = await checkLane(mangledLane(startPlanted(plant)), { seed: 1, inputs: 2_000 })
  expect(failure?.problem).toMatch(/^A failure: 500/)
})

test('finds a heap that grows', async () => {
  const kept: string[] = []
  const plant: Plant = reply => {
    kept.push(`${kept.length} ${'x'.repeat(50_000)}`.split('').reverse().join(''))
    return reply
  }
  const { failure } = await checkLane(httpLane(startPlanted(plant)), { seed: 1, inputs: 1_500 })
  expect(failure?.problem).toMatch(/^The heap grew by \d+ bytes/)
})

test('a heap that grows only while it warms up is no leak', () => {
  const samples = Array.from({ length: 24 }, (_, index) => ({
    inputs: index * 100,
    heap: 1e7 + Math.min(index, 7) * 1e6,
  }))
  expect(growthOf(samples)).toMatchObject({ bytes: 0, perInput: 0 })
  const leaking = samples.map(({ inputs }) => ({ inputs, heap: 1e7 + inputs * 5_000 }))
  expect(growthOf(leaking)?.perInput).toBeCloseTo(5_000)
})
