import { describe, expect, test } from 'vitest'
import { checkIds } from '../../../src/judges/conformance/checks.ts'
import { curlOf, get, post } from '../../../src/judges/conformance/requests.ts'
import type { Judge } from '../../../src/judges/contract/judge.ts'
import type { Call, Reply } from '../../../src/service/call/call.ts'
import { type Between, checkEmulator } from '../../support/check-emulator.ts'

describe('pet-mock itself', () => {
  test.each([1, 2, 3, 4, 5])(
    'passes every check, with every documented response, with the seed %i',
    async seed => {
      const { outcome } = await checkEmulator({}, { seed, exhausts: true })
      expect(outcome.failed).toEqual([])
      expect(outcome.unseen).toEqual([])
      expect(outcome.leftOut).toEqual([])
      expect([...outcome.checked.keys()].toSorted()).toEqual(checkIds.toSorted())
    },
  )
})

describe('a run', () => {
  test.each([5, 20, 40])('makes no more than %i calls', async maxCalls => {
    const { calls, outcome } = await checkEmulator({}, { maxCalls })
    expect(calls.length).toBe(outcome.calls)
    expect(calls.length).toBeLessThanOrEqual(maxCalls)
    expect(outcome.failed).toEqual([])
  })

  test('makes no judgement of a response that the contract check cannot judge', async () => {
    const judge: Judge = {
      operations: [],
      judge: async () => {
        throw new Error('no verdict')
      },
    }
    const { outcome } = await checkEmulator({}, { judge })
    expect(outcome.failed).toEqual([])
    expect(outcome.failures).toMatchObject([{ id: 'judge-failed', severity: 'error' }])
    for (const id of ['contract-status', 'contract-body'])
      expect(outcome.notChecked).toContainEqual({
        id,
        reason: 'the judge failed: no verdict',
        isUnjudged: true,
      })
  })

  test('lists what it left out when the calls are used up', async () => {
    const { outcome } = await checkEmulator({}, { maxCalls: 12 })
    expect(outcome.leftOut).toEqual([
      '429: to test it, add --exhaust (uses up the quota)',
      'pages, animals, creating, invalid bodies, filtered pages, names, invalid queries, other operations, other bodies, unknown routes, generated requests, generated animals: incomplete, because --max-calls 12 is used up',
    ])
  })

  test('creates nothing without permission', async () => {
    const { calls, outcome } = await checkEmulator({}, { allowsWrites: false, exhausts: true })
    expect(calls.filter(call => !/^(?:GET|HEAD|PATCH) /.test(call))).toEqual([])
    expect(outcome.failed).toEqual([])
    expect(outcome.unseen).toEqual(['createPet 201', 'createPet 400', 'createPet 401', 'createPet 429'])
    expect(outcome.leftOut).toEqual([
      'createPet: to test it, add --allow-writes (the new animals cannot be deleted)',
    ])
  })

  test('waits for the next window when few calls are left, and is never refused', async () => {
    const keys = { 'demo-free': { used: { minute: 57, day: 400 } } }
    const { outcome } = await checkEmulator({}, {}, { keys })
    expect(outcome).toMatchObject({
      failed: [],
      leftOut: ['429: to test it, add --exhaust (uses up the quota)'],
    })
    expect(outcome.seen).not.toContain('listPets 429')
  })

  test('ends before a wait that is too long', async () => {
    const keys = { 'demo-free': { used: { day: 995 } } }
    const { outcome } = await checkEmulator({}, {}, { keys })
    expect(outcome.failed).toEqual([])
    expect(outcome.leftOut.at(-1)).toMatch(
      /--max-time 5m leaves no time to wait 86\d{3} s until the rate limit resets$/,
    )
  })

  test('waits after a 429 for a request without a key, too', async () => {
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
    expect(calls.slice(0, 4)).toEqual(['GET /pets?limit=100', 'GET /pets', 'GET /pets', 'GET /pets'])
  })

  test('gives up on a service that does not respond', async () => {
    const { outcome } = await checkEmulator({}, { send: async () => ({ fails: 'hang' }) })
    expect(outcome.calls).toBe(3)
    expect(outcome.failed).toMatchObject([{ check: 'availability', detail: 'no answer (hang)', count: 3 }])
    expect(outcome.leftOut.at(-1)).toMatch(
      /: incomplete, because no request got a complete response \(hang\)$/,
    )
  })

  test('sends the same requests for the same seed, and other ones for another', async () => {
    const pro = { plan: 'pro' }
    const keys = { 'demo-free': { plan: 'pro' } } as const
    const calls = async (seed: number) => (await checkEmulator({}, { ...pro, seed }, { keys })).calls
    expect(await calls(7)).toEqual(await calls(7))
    expect(await calls(7)).not.toEqual(await calls(8))
  })
})

describe('a fault that only some values show', () => {
  const pro = { plan: 'pro' }
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
      /^\{"name":"","categoryId":-\d\D/,
    ],
    ['a name beyond ASCII', failing(call => /[^ -~]/.test(textOf(call))), /^\{"name":"[^"]{1,3}"\}$/u],
  ])('%s is shown by the smallest request', async (_, between, shown) => {
    const { outcome } = await checkEmulator(between, pro, { keys })
    const texts = outcome.failed.map(({ request }) => request.body ?? request.target)
    expect(texts).toContainEqual(expect.stringMatching(shown))
  })
})

test('a request is printed as a shell command, without its key', () => {
  const base = 'http://127.0.0.1:7387/v1'
  expect(curlOf(get('/pets?limit=1'), base, text => text)).toBe(
    `curl -i -H "Authorization: Bearer $KEY" 'http://127.0.0.1:7387/v1/pets?limit=1'`,
  )
  expect(curlOf(post(`{"name":"O'Hara"}`, { key: 'none' }), base, text => text)).toBe(
    `curl -i -X POST -H 'Content-Type: application/json' --data-raw '{"name":"O'\\''Hara"}' '${base}/pets'`,
  )
  // A header that the command made up is no secret. What comes from elsewhere may be one.
  const made = get('/pets', { key: { authorization: 'Basic cGV0OnBldA==' }, headers: { 'X-Token': 'a' } })
  expect(curlOf(made, base, () => '…')).toBe(`curl -i -H 'Authorization: Basic cGV0OnBldA==' …`)
})
