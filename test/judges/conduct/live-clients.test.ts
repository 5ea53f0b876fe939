import { default as axios } from 'axios'
import axiosRetry from 'axios-retry'
import got from 'got'
import ky from 'ky'
import pRetry from 'p-retry'
import superagent from 'superagent'
import { Agent, fetch as fetchBy, RetryAgent, request } from 'undici'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { PetMock, ScenarioChoice } from '../../../src/library/testing/pet-mock.ts'
import { startPetMock } from '../../../src/library/testing/start-pet-mock.ts'
import { findAiohttp, runAiohttp } from '../../support/aiohttp.ts'
import { requireOrSkip } from '../../support/requirements.ts'

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
  ])('%s', async ([, list]) => {
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

describe('superagent', () => {
  const ban: ScenarioChoice = { keys: { 'demo-free': { plan: 'free', banned: '120s' } } }
  const list = (mock: PetMock) =>
    superagent
      .get(`${mock.url}/pets`)
      .set(authorize(mock.key))
      .ok(() => true)

  test('its retries do not wait: 24 calls to a banned key', async () => {
    const mock = await serve(ban)
    for (let made = 0; made < 6; made += 1)
      await superagent
        .get(`${mock.url}/pets`)
        .set(authorize(mock.key))
        .retry(3)
        .then(undefined, () => {})
    expect(await mock.requests.count({ refused: true })).toBe(24)
    expect(await idsIn(mock)).toEqual(['call-during-ban', 'no-backoff'])
  })

  test('69 calls at once', async () => {
    const mock = await serve({})
    const statuses = await Promise.all(Array.from({ length: 69 }, async () => (await list(mock)).status))
    expect(statuses.filter(status => status === 429)).toHaveLength(9)
    expect(await idsIn(mock)).toEqual([])
  })

  test('a client that waits for Retry-After', async () => {
    const mock = await serve(usedUp(60))
    const { headers } = await list(mock)
    await new Promise(resolve => setTimeout(resolve, 1_000 * Number(headers['retry-after'])))
    expect((await list(mock)).status).toBe(200)
    expect(await idsIn(mock)).toEqual([])
  })
})

describe('aiohttp', () => {
  const python = findAiohttp()
  const wait = 'await asyncio.sleep(int((await get()).headers["Retry-After"])'
  test.for<
    [name: string, scenario: ScenarioChoice, lines: string, printed: string, found: readonly string[]]
  >([
    [
      '69 equal calls at once',
      {},
      'print([answer.status for answer in await asyncio.gather(*[get() for _ in range(69)])].count(429))',
      '9',
      [],
    ],
    ['a client that waits for Retry-After', usedUp(60), `${wait})\nprint((await get()).status)`, '200', []],
    [
      'seconds are read as milliseconds',
      usedUp(1),
      `for _ in range(4): ${wait} / 1000)`,
      '',
      ['early-retry'],
    ],
    [
      'a loop without waiting',
      usedUp(1),
      'for _ in range(15): await get()',
      '',
      ['banned', 'call-during-ban', 'early-retry', 'no-backoff'],
    ],
    [
      'a loop without waiting, with a connection for each call',
      usedUp(1),
      `for _ in range(15):
    async with aiohttp.ClientSession(headers=session.headers) as once:
        async with once.get(url) as response: await response.read()`,
      '',
      ['banned', 'call-during-ban', 'early-retry', 'no-backoff'],
    ],
  ])('%s', async ([, scenario, lines, printed, found], context) => {
    const program = requireOrSkip(context, 'aiohttp for python3', python)
    const mock = await serve(scenario)
    expect(await runAiohttp(program, lines, `${mock.url}/pets`, mock.key)).toBe(printed)
    expect(await idsIn(mock)).toEqual(found)
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
