import { describe, expect, test } from 'vitest'
import { curlOf, get, post } from '../../../src/judges/check/request.ts'
import type { Call, Reply } from '../../../src/service/call/call.ts'
import { type Between, checkEmulator } from '../../support/conformance.ts'

describe('pet-mock itself', () => {
  test.each([1, 2, 3, 4, 5])(
    'keeps every rule, in all of its documented answers, with the seed %i',
    async seed => {
      const { outcome } = await checkEmulator({}, { seed, exhausts: true, maxCalls: 110 })
      expect(outcome.broken).toEqual([])
      expect(outcome.unseen).toEqual([])
      expect(outcome.leftOut).toEqual([])
      const unchecked = [...outcome.checked].filter(([, times]) => times === 0).map(([rule]) => rule)
      expect(unchecked).toEqual([])
    },
  )
})

describe('a run', () => {
  test.each([5, 20, 40])('makes no more than %i calls', async maxCalls => {
    const { calls, outcome } = await checkEmulator({}, { maxCalls })
    expect(calls.length).toBe(outcome.calls)
    expect(calls.length).toBeLessThanOrEqual(maxCalls)
    expect(outcome.broken).toEqual([])
  })

  test('says what it left out for want of calls', async () => {
    const { outcome } = await checkEmulator({}, { maxCalls: 12 })
    expect(outcome.leftOut).toEqual([
      '429: --exhaust spends what is left of the quota to see it',
      'lists, animals, creating, routes, generated requests, generated animals: not all, since --max-calls 12 are made',
    ])
  })

  test('writes nothing where it may not', async () => {
    const { calls, outcome } = await checkEmulator({}, { allowsWrites: false, exhausts: true, maxCalls: 110 })
    expect(calls.filter(call => !/^(?:GET|HEAD|PATCH) /.test(call))).toEqual([])
    expect(outcome.broken).toEqual([])
    expect(outcome.unseen).toEqual(['createPet 201', 'createPet 400', 'createPet 401', 'createPet 429'])
    expect(outcome.leftOut).toEqual(['createPet: animals cannot be deleted again; --allow-writes makes some'])
  })

  test('waits for the window where few calls are left, and is never refused', async () => {
    const keys = { 'demo-free': { used: { minute: 57, day: 400 } } }
    const { outcome } = await checkEmulator({}, {}, { keys })
    expect(outcome).toMatchObject({
      broken: [],
      leftOut: ['429: --exhaust spends what is left of the quota to see it'],
    })
    expect(outcome.seen).not.toContain('listPets 429')
  })

  test('ends where it would wait longer than it may', async () => {
    const keys = { 'demo-free': { used: { day: 995 } } }
    const { outcome } = await checkEmulator({}, {}, { keys })
    expect(outcome.broken).toEqual([])
    expect(outcome.leftOut.at(-1)).toMatch(/the limit is used up for 86\d{3} s, longer than --max-wait$/)
  })

  test('waits for callers without a key, too, where those are refused', async () => {
    const waits: number[] = []
    const refuseOnce = { left: 1 }
    const body = '{"code":"c","message":"m","status":429}'
    const between: Between = {
      reply: (reply, { headers }) => {
        if (headers.includes('Authorization') || refuseOnce.left-- <= 0) return reply
        const told = { ...reply.headers, 'Retry-After': '7', 'X-RateLimit-Remaining': '0' }
        return { ...reply, status: 429, headers: told, body }
      },
    }
    const { calls } = await checkEmulator(between, { wait: async ms => void waits.push(ms) })
    expect(waits).toEqual([7_000])
    expect(calls.slice(0, 3)).toEqual(['GET /pets', 'GET /pets', 'POST /pets'])
  })

  test('gives a service up that does not answer', async () => {
    const { outcome } = await checkEmulator({}, { send: async () => ({ fails: 'hang' }) })
    expect(outcome.calls).toBe(3)
    expect(outcome.broken).toMatchObject([
      { rule: 'answers-at-all', detail: 'no whole answer came (hang)' },
      {},
      {},
    ])
    expect(outcome.leftOut.at(-1)).toMatch(/: not all, since 3 calls in a row were not answered$/)
  })

  test('asks the same of the same seed, and something else of another', async () => {
    const pro = { plan: 'pro', maxCalls: 200 }
    const keys = { 'demo-free': { plan: 'pro' } } as const
    const calls = async (seed: number) => (await checkEmulator({}, { ...pro, seed }, { keys })).calls
    expect(await calls(7)).toEqual(await calls(7))
    expect(await calls(7)).not.toEqual(await calls(8))
  })
})

describe('a fault that only some values show', () => {
  const pro = { plan: 'pro', maxCalls: 200 }
  const keys = { 'demo-free': { plan: 'pro' } } as const
  const failing = (isHit: (call: Call) => boolean) => ({
    reply: (reply: Reply, call: Call) =>
      isHit(call) ? { ...reply, status: 500, body: '{"code":"c","message":"m","status":500}' } : reply,
  })
  const textOf = ({ body }: Call) => (body instanceof Uint8Array ? new TextDecoder().decode(body) : '')

  test.each([
    [
      'a limit of more than 50',
      failing(({ target }) => Number(/limit=(\d+)&status/.exec(target)?.[1]) > 50 && !target.includes('100')),
      /^\/pets\?limit=51&status=/,
    ],
    [
      'a category below zero',
      failing(call => /"categoryId":-/.test(textOf(call)) && !call.target.includes('?')),
      /"categoryId":-1\}$/,
    ],
    [
      'a name beyond ASCII',
      failing(call => /[^ -~]/.test(textOf(call))),
      /^\{"name":"[^"]{1,3}","categoryId":0\}$/u,
    ],
  ])('%s is shown by the smallest request', async (_, between, shown) => {
    const { outcome } = await checkEmulator(between, pro, { keys })
    const texts = outcome.broken.map(({ request }) => request.body ?? request.target)
    expect(texts).toContainEqual(expect.stringMatching(shown))
  })
})

test('a request is shown as a line for a shell, without its key', () => {
  const base = 'http://127.0.0.1:7387/v1'
  expect(curlOf(get('/pets?limit=1'), base)).toBe(
    `curl -i -H "Authorization: Bearer $KEY" 'http://127.0.0.1:7387/v1/pets?limit=1'`,
  )
  expect(curlOf(post(`{"name":"O'Hara"}`, { key: 'none' }), base)).toBe(
    `curl -i -X POST -H 'Content-Type: application/json' --data-raw '{"name":"O'\\''Hara"}' '${base}/pets'`,
  )
})
