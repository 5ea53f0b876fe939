import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { petMockHandlers } from '../../../src/library/msw/entry.ts'
import { createPetMock } from '../../../src/library/testing/create-pet-mock.ts'
import { isMsw3 } from '../../support/msw-version.ts'

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())
// MSW 3 stands in for the sockets themselves, which need setImmediate.
beforeEach(() => {
  if (isMsw3) vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  else vi.useFakeTimers()
})
afterEach(() => {
  server.resetHandlers()
  vi.useRealTimers()
})

type Fetch = typeof globalThis.fetch
const key = { Authorization: 'Bearer demo-free' }

/** A polite client: what is refused it asks again, after the time that it is told. */
async function list(fetch: Fetch, url: string, waits: number[]): Promise<Response> {
  const response = await fetch(`${url}/pets`, { headers: key })
  if (response.status !== 429) return response
  const seconds = Number(response.headers.get('retry-after'))
  waits.push(seconds)
  await new Promise(resolve => setTimeout(resolve, seconds * 1_000))
  return await list(fetch, url, waits)
}

const ways: readonly [string, (scenario: 'rate-limit-exhaustion' | 'ban' | 'slow') => [Fetch, string]][] = [
  [
    'through MSW',
    scenario => {
      const handlers = petMockHandlers({ baseUrl: 'https://api.example.com/v1', scenario })
      server.use(...handlers)
      return [globalThis.fetch, handlers.mock.url]
    },
  ],
  [
    'in process',
    scenario => {
      const { fetch, url } = createPetMock({ scenario })
      return [fetch as Fetch, url]
    },
  ],
]

describe('fake timers', () => {
  it.each(ways)(
    'a client that waits for Retry-After, %s, is done as soon as the timers are moved',
    async (_way, open) => {
      const [fetch, url] = open('rate-limit-exhaustion')
      const waits: number[] = []
      for (let call = 0; call < 3; call += 1) expect((await list(fetch, url, waits)).status).toBe(200)
      expect(waits).toEqual([])
      const fourth = list(fetch, url, waits)
      await vi.advanceTimersByTimeAsync(60_000)
      expect((await fourth).headers.get('x-ratelimit-remaining')).toBe('59')
      expect(waits).toEqual([expect.toBeOneOf([59, 60])])
    },
  )

  it.each(ways)('a ban passes with them, %s', async (_way, open) => {
    const [fetch, url] = open('ban')
    const [first] = [await fetch(`${url}/pets`, { headers: key })]
    expect(await first.json()).toMatchObject({ status: 429, code: 'api_key_banned' })
    vi.advanceTimersByTime(Number(first.headers.get('retry-after')) * 1_000 - 1_000)
    expect((await fetch(`${url}/pets`, { headers: key })).status).toBe(429)
    vi.advanceTimersByTime(1_000)
    expect((await fetch(`${url}/pets`, { headers: key })).status).toBe(200)
  })

  it.each(ways)('Date is theirs, and so are delays, %s', async (_way, open) => {
    const [fetch, url] = open('slow')
    vi.setSystemTime('2027-03-04T05:06:07Z')
    let isDone = false
    const call = fetch(`${url}/pets`, { headers: key }).finally(() => {
      isDone = true
    })
    await vi.advanceTimersByTimeAsync(0)
    expect(isDone).toBe(false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect((await call).headers.get('date')).toBe('Thu, 04 Mar 2027 05:06:07 GMT')
  })
})
