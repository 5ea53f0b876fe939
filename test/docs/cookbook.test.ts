import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { PetMock } from '../../src/library/testing/entry.ts'
import { startPetMock } from '../../src/library/testing/start-pet-mock.ts'
import { followPage } from '../support/follow-page.ts'
import { findProgram, needPosix, requireOrSkip } from '../support/requirements.ts'

/* docs/faults.md: the file of each recipe, as it stands there, and what a client then gets. */
const page = readFileSync('docs/faults.md', 'utf8')
const recipes = new Map(
  page.split(/^## /m).flatMap((section): [string, string][] => {
    const [, text] = /^```yaml\n([\s\S]*?)^```$/m.exec(section) ?? []
    return text === undefined ? [] : [[/^.*/.exec(section)?.[0] ?? '', text]]
  }),
)

/** Makes a call, and returns its status, or `broken` if no whole response arrives. */
async function call(mock: PetMock, target = '/pets', init: RequestInit = {}): Promise<number | 'broken'> {
  const headers = { Authorization: `Bearer ${mock.key}`, 'Content-Type': 'application/json' }
  try {
    const response = await fetch(mock.url + target, { ...init, headers: { ...headers, ...init.headers } })
    await response.text()
    return response.status
  } catch {
    return 'broken'
  }
}

const create = (mock: PetMock) =>
  call(mock, '/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}' })

async function statuses(count: number, make: () => Promise<number | 'broken'>) {
  const seen: (number | 'broken')[] = []
  for (let made = 0; made < count; made += 1) seen.push(await make())
  return seen
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const outcomes: Readonly<Record<string, (mock: PetMock, again: PetMock) => Promise<void>>> = {
  'Fail twice, then succeed': async mock => {
    expect(await statuses(3, () => create(mock))).toEqual([503, 503, 201])
  },
  'Random errors': async (mock, again) => {
    const seen = await statuses(60, () => call(mock))
    expect(seen.filter(status => status === 500).length).toBeGreaterThan(0)
    expect(seen.filter(status => status === 200).length).toBeGreaterThan(50)
    expect(await statuses(60, () => call(again))).toEqual(seen)
  },
  'An outage': async (mock, again) => {
    expect(await call(mock)).toBe(503)
    await mock.clock.advance('30s')
    expect(await call(mock)).toBe(200)
    await again.rules.change('outage', { on: false })
    expect(await call(again)).toBe(200)
  },
  'A 429 while calls are left': async mock => {
    expect(await statuses(2, () => call(mock))).toEqual([429, 200])
    const [refused] = await mock.requests.find({ status: 429 })
    expect(refused?.response?.headers).toHaveProperty('retry-after')
    expect(await mock.keys.get(mock.key)).toMatchObject({ strikes: 0 })
  },
  'Slow responses': async mock => {
    const times: number[] = []
    for (let made = 0; made < 20; made += 1) times.push(await timeOf(() => call(mock, '/pets?limit=1')))
    expect(Math.max(...times)).toBeGreaterThan(80)
  },
  'A timeout': async mock => {
    expect(await call(mock, '/pets', { signal: AbortSignal.timeout(500) })).toBe('broken')
    expect(await call(mock, '/pets/1')).toBe(200)
  },
  'A slow body': async mock => {
    const headers = { Authorization: `Bearer ${mock.key}` }
    const response = await fetch(`${mock.url}/pets`, { headers })
    expect(await timeOf(() => response.text())).toBeGreaterThan(500)
  },
  'A reset connection': async mock => {
    expect(await create(mock)).toBe('broken')
    expect((await mock.pets.list()).some(({ name }) => name === 'Rex')).toBe(false)
  },
  'A lost response': async (mock, again) => {
    const countOf = async (one: PetMock) =>
      (await one.pets.list({ limit: 1_000 })).filter(({ name }) => name === 'Rex').length
    expect([await create(mock), await create(mock)]).toEqual(['broken', 201])
    expect(await countOf(mock)).toBe(2)
    await again.reset()
    await again.rules.add({ then: { status: 504, direction: 'response' } })
    expect([await create(again), await countOf(again)]).toEqual([504, 1])
  },
  'A truncated body': async mock => {
    expect(await call(mock)).toBe('broken')
    await mock.rules.add({ then: { fault: 'malformed' } })
    const headers = { Authorization: `Bearer ${mock.key}` }
    const response = await fetch(`${mock.url}/pets`, { headers })
    await expect(response.json()).rejects.toThrow(SyntaxError)
    await mock.rules.add({ then: { fault: 'empty' } })
    expect(await call(mock)).toBe('broken')
  },
  'A connection that closes late': async mock => {
    const response = await fetch(`${mock.url}/pets`, { headers: { Authorization: `Bearer ${mock.key}` } })
    expect([response.status, response.headers.get('Connection')]).toEqual([200, 'close'])
    await response.text()
  },
  'A key revoked midway': async mock => {
    expect(await statuses(6, () => call(mock))).toEqual([200, 200, 200, 200, 200, 401])
  },
}

describe('docs/faults.md', () => {
  it('has a recipe for each outcome', () => {
    expect([...recipes.keys()]).toEqual(Object.keys(outcomes))
  })

  it.each([...recipes])('%s', async (name, text) => {
    const [mock, again] = [
      await startPetMock({ scenario: parse(text) }),
      await startPetMock({ scenario: parse(text) }),
    ]
    try {
      await outcomes[name]?.(mock, again)
    } finally {
      await mock.close()
      await again.close()
    }
  })

  it('A removed operation', async () => {
    for (const scenario of ['after-removal', { clock: { at: '2030-12-05' } }] as const) {
      const mock = await startPetMock({ scenario })
      expect(await call(mock, '/pets/1')).toBe(404)
      await mock.close()
    }
  })

  it('One call, without a file', async context => {
    needPosix('shell')
    requireOrSkip(context, 'curl', findProgram('curl'))
    expect((await followPage('docs/faults.md', { service: '-s free-plan' })).commands).toBe(1)
  })
})
