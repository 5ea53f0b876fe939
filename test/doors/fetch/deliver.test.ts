import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ThenFields } from '../../../src/control/scenario/file.ts'
import { createPetMock } from '../../../src/library/testing/create-pet-mock.ts'

/** A call of an operation that a rule befalls, by the fetch of a mock in this process. */
function callOrders(then: ThenFields, signal?: AbortSignal): Promise<Response> {
  const scenario = { rules: [{ match: { operation: 'listOrders' as const }, then }] }
  const { fetch, url, key } = createPetMock({ scenario })
  const headers = { Authorization: `Bearer ${key}` }
  return fetch(`${url}/store/orders`, { headers, ...(signal && { signal }) })
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

async function stateOf(promise: Promise<unknown>): Promise<string> {
  let state = 'pending'
  promise.then(
    () => {
      state = 'fulfilled'
    },
    () => {
      state = 'rejected'
    },
  )
  await vi.advanceTimersByTimeAsync(0)
  return state
}

test.each(['reset', 'empty'] as const)(
  '%s is a network error, which fetch reports as a TypeError',
  async fault => {
    await expect(callOrders({ fault })).rejects.toThrow(new TypeError('fetch failed'))
  },
)

test('hang: nothing comes until the client gives up', async () => {
  const giveUp = new AbortController()
  const call = callOrders({ fault: 'hang' }, giveUp.signal)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(await stateOf(call)).toBe('pending')
  giveUp.abort()
  await expect(call).rejects.toThrow('aborted')
})

test('truncate: status, headers and half of the body come, and then an error', async () => {
  const response = await callOrders({ fault: 'truncate' })
  expect(response.status).toBe(200)
  const announced = Number(response.headers.get('content-length'))
  const reader = response.body?.getReader()
  expect((await reader?.read())?.value?.length).toBe(Math.floor(announced / 2))
  await expect(reader?.read()).rejects.toThrow('terminated')
})

test('slow: headers at once, then the body in ten pieces, half a second apart', async () => {
  const start = Date.now()
  const response = await callOrders({ fault: 'slow' })
  expect(Date.now() - start).toBe(0)
  const text = response.text()
  await vi.advanceTimersByTimeAsync(4_499)
  expect(await stateOf(text)).toBe('pending')
  await vi.advanceTimersByTimeAsync(1)
  expect(JSON.parse(await text).length).toBeGreaterThan(1)
})

test('slow: a client that gives up gets no more, and no timer is left', async () => {
  const giveUp = new AbortController()
  const response = await callOrders({ fault: 'slow' }, giveUp.signal)
  const text = response.text()
  await vi.advanceTimersByTimeAsync(500)
  giveUp.abort()
  await expect(text).rejects.toThrow('aborted')
})

test('slow at a pace: the body takes as long as the pace says', async () => {
  const response = await callOrders({ fault: { slow: { chunk: 100, every: '1s' } } })
  const pauses = Math.ceil(Number(response.headers.get('content-length')) / 100) - 1
  const text = response.text()
  await vi.advanceTimersByTimeAsync(pauses * 1_000 - 1)
  expect(await stateOf(text)).toBe('pending')
  await vi.advanceTimersByTimeAsync(1)
  expect(JSON.parse(await text).length).toBeGreaterThan(1)
})

test('truncate after an amount: these bytes come, and then an error', async () => {
  const response = await callOrders({ fault: { truncate: { after: 17 } } })
  const reader = response.body?.getReader()
  expect((await reader?.read())?.value?.length).toBe(17)
  await expect(reader?.read()).rejects.toThrow('terminated')
})

test('hang for a time: then a network error', async () => {
  const call = callOrders({ fault: { hang: { for: '5s' } } })
  const failure = expect(call).rejects.toThrow(new TypeError('fetch failed'))
  await vi.advanceTimersByTimeAsync(4_999)
  expect(await stateOf(call)).toBe('pending')
  await vi.advanceTimersByTimeAsync(1)
  await failure
})

test('malformed: status and length are right, and the body is not JSON', async () => {
  const response = await callOrders({ fault: 'malformed' })
  const text = await response.clone().text()
  expect([response.status, response.headers.get('content-length')]).toEqual([
    200,
    `${Buffer.byteLength(text)}`,
  ])
  await expect(response.json()).rejects.toThrow(SyntaxError)
})

test('a delay ends early for a client that gives up', async () => {
  const call = callOrders({ delay: '10m', status: 503 })
  await vi.advanceTimersByTimeAsync(599_999)
  expect(await stateOf(call)).toBe('pending')
  await vi.advanceTimersByTimeAsync(1)
  expect((await call).status).toBe(503)
  const giveUp = new AbortController()
  const other = callOrders({ delay: '10m' }, giveUp.signal)
  await vi.advanceTimersByTimeAsync(1_000)
  giveUp.abort(new Error('enough'))
  await expect(other).rejects.toThrow('enough')
})

test('a reply without a body gets no Content-Type', async () => {
  const response = await callOrders({ status: 204 })
  expect([await response.text(), response.headers.get('content-type')]).toEqual(['', null])
})
