import { default as axios } from 'axios'
import axiosRetry from 'axios-retry'
import got from 'got'
import ky from 'ky'
import pRetry from 'p-retry'
import { Agent, fetch as fetchBy, RetryAgent, request } from 'undici'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { PetMock, ScenarioChoice } from '../../../src/library/testing/pet-mock.ts'
import { startPetMock } from '../../../src/library/testing/start-pet-mock.ts'

/** The minute is used up. On a clock that is 60 times as fast, a client is told to wait for a second or two. */
const usedUp = (scale: number): ScenarioChoice => ({
  clock: { scale },
  keys: { 'demo-free': { plan: 'free', used: { minute: 60 } } },
})

async function serve(scenario: ScenarioChoice): Promise<PetMock> {
  const mock = await startPetMock({ scenario })
  onTestFinished(mock.close)
  return mock
}

const authorize = (key: string) => ({ Authorization: `Bearer ${key}` })

/** What conduct found but the quota, which is at its peak in all of these. */
async function idsIn(mock: PetMock): Promise<readonly string[]> {
  const { findings } = await mock.conduct()
  return findings.map(({ id }) => id).filter(id => id !== 'quota-peak')
}

describe('clients without findings: by default they wait for Retry-After', () => {
  test.for<[name: string, list: (url: string, key: string) => Promise<number>]>([
    ['ky', async (url, key) => (await ky.get(url, { headers: authorize(key) })).status],
    ['got', async (url, key) => (await got.get(url, { headers: authorize(key) })).statusCode],
    [
      'axios-retry',
      async (url, key) => {
        const client = axios.create({ headers: authorize(key) })
        axiosRetry(client)
        return (await client.get(url)).status
      },
    ],
  ])('%s', { timeout: 30_000 }, async ([, list]) => {
    const mock = await serve(usedUp(60))
    expect(await list(`${mock.url}/pets`, mock.key)).toBe(200)
    expect(await mock.requests.count({ refused: true })).toBe(1)
    expect(await idsIn(mock)).toEqual([])
  })
})

describe('clients with findings', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  test('a loop without waiting', async () => {
    const mock = await serve(usedUp(1))
    const dispatcher = new Agent({ connections: 1 })
    onTestFinished(() => dispatcher.close())
    for (let made = 0; made < 15; made += 1) {
      await (await fetchBy(`${mock.url}/pets`, { dispatcher, headers: authorize(mock.key) })).text()
    }
    expect(await idsIn(mock)).toEqual(['banned', 'call-during-ban', 'early-retry', 'no-backoff'])
  })

  test('p-retry around fetch backs off and ignores the header', async () => {
    const mock = await serve(usedUp(1))
    const waits = skip(1_000, 2_000, 4_000, 8_000, 16_000, 32_000)
    const list = async () => {
      const response = await fetch(`${mock.url}/pets`, { headers: authorize(mock.key) })
      await response.text()
      if (!response.ok) throw new Error(`${response.status}`)
    }
    await pRetry(list)
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000])
    expect(await idsIn(mock)).toEqual(['early-retry'])
    const { findings } = await mock.conduct()
    expect(findings[0]?.count).toBe(5)
  })

  test("undici's RetryAgent caps waits at 30 s", async () => {
    const mock = await serve(usedUp(1))
    const waits = skip(30_000)
    const dispatcher = new RetryAgent(new Agent())
    onTestFinished(() => dispatcher.close())
    const { statusCode, body } = await request(`${mock.url}/pets`, {
      dispatcher,
      headers: authorize(mock.key),
    })
    await body.dump()
    expect(statusCode).toBe(200)
    expect(waits).toContain(30_000)
    expect(await idsIn(mock)).toEqual(['early-retry'])
    const { findings } = await mock.conduct()
    expect(findings[0]).toMatchObject({
      count: 1,
      evidence: [{ detail: expect.stringMatching(/^(?:29|30)[. ]/) }],
    })
  })
})

/**
 * Lets whoever waits for one of these times go on at once, with the clocks of client and server moved by as much. Gives
 * what was waited for. Other timers are those of connections.
 */
function skip(...lengths: readonly number[]): readonly number[] {
  const waits: number[] = []
  const later = globalThis.setTimeout
  vi.useFakeTimers({ toFake: ['Date'] })
  const skipping = (act: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    if (!lengths.includes(ms)) return later(act, ms, ...given)
    waits.push(ms)
    const go = () => {
      vi.setSystemTime(Date.now() + ms)
      act(...given)
    }
    return later(go, 0)
  }
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(skipping as typeof setTimeout)
  return waits
}
