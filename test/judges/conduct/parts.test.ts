import { describe, expect, test } from 'vitest'
import { hashOf } from '../../../src/base/hash.ts'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import { type Trend, trendOf } from '../../../src/judges/conduct/judge-backoff.ts'
import { createCallers, fingerprintOf } from '../../../src/judges/conduct/observed-call.ts'
import { mergeUsage, newUsage, smallestPlan } from '../../../src/judges/conduct/usage.ts'
import { fly, idsOf } from '../../support/flights.ts'

test.each<[gaps: readonly number[], trend: Trend]>([
  [[], 'unclear'],
  [[1_000, 1_000, 1_000], 'unclear'],
  [[1_000, 1_000, 1_000, 1_000], 'steady'],
  [[1_000, 2_000, 4_000, 8_000], 'growing'],
  [[100, 100, 175, 175], 'growing'],
  [[100, 100, 174, 174], 'unclear'],
  [[50, 50, 100, 100], 'growing'],
  [[50, 50, 99, 99], 'unclear'],
  [[0, 0, 0, 0], 'steady'],
  [[0, 10, 5, 10], 'steady'],
  [[920, 920, 1_080, 1_080], 'unclear'],
  [[930, 930, 1_070, 1_070], 'steady'],
  [[150, 10, 140, 20, 150, 10, 600, 700], 'growing'],
  [[600, 10, 140, 20, 150, 10, 140, 20], 'steady'],
  [[600, 700, 140, 20, 150, 10, 140, 20], 'unclear'],
])('waits of %j are %s', (gaps, trend) => {
  expect(trendOf(gaps)).toBe(trend)
})

describe('a hash', () => {
  const bytes = (...values: readonly number[]) => new Uint8Array(values)

  test('is a number of 53 bits, the same for texts and their bytes', () => {
    const hashes = [hashOf(), hashOf(''), hashOf('a'), hashOf('ab'), hashOf('a', 'b'), hashOf('b', 'a')]
    expect(new Set(hashes).size).toBe(6)
    expect(hashes.every(hash => Number.isSafeInteger(hash) && hash >= 0)).toBe(true)
    expect(hashOf('ab')).toBe(hashOf(bytes(97, 98)))
    expect(hashOf('é')).not.toBe(hashOf('e'))
  })

  test('differs for all of 20,000 similar texts', () => {
    const texts = Array.from({ length: 10_000 }, (_, index) => [
      `/v1/pets/${index}`,
      `/v1/pets?limit=${index}`,
    ]).flat()
    expect(new Set(texts.map(text => hashOf('GET', text, ''))).size).toBe(20_000)
  })

  test('of a call knows its method, target and body', () => {
    const call = {
      method: 'GET',
      target: '/v1/pets',
      headers: [],
      scheme: 'http',
      client: '',
      receivedAt: 0,
    } as const
    const calls = [
      { ...call, body: undefined },
      { ...call, method: 'HEAD', body: undefined },
      { ...call, target: '/v1/pets?', body: undefined },
      { ...call, body: bytes(1) },
    ]
    expect(new Set(calls.map(fingerprintOf)).size).toBe(4)
    expect(fingerprintOf({ ...call, headers: ['A', 'b'], body: undefined })).toBe(
      fingerprintOf({ ...call, body: undefined }),
    )
  })
})

describe('the smallest plan', () => {
  const plans = [
    ['large', { minute: 100, day: 1_000 }],
    ['small', { minute: 10, day: 100 }],
    ['long', { minute: 10, day: 500 }],
  ] as const

  test.each<[minute: number, day: number, plan: string | undefined]>([
    [0, 0, 'small'],
    [10, 100, 'small'],
    [10, 101, 'long'],
    [11, 100, 'large'],
    [10, 501, 'large'],
    [101, 1, undefined],
    [1, 1_001, undefined],
  ])('for %i calls in a minute and %i in a day is %s', (minute, day, plan) => {
    expect(smallestPlan({ ...newUsage(), wanted: { minute, day } }, plans)).toBe(plan)
  })

  test('of several sandboxes counts the busiest', () => {
    const of = (used: number, limit: number, wanted: number) => ({
      ...newUsage(),
      calls: used,
      refused: 1,
      peak: { minute: { used, limit, start: 0 }, day: { used: 1, limit: 9, start: 0 } },
      wanted: { minute: wanted, day: 2 },
    })
    expect(mergeUsage({ ...of(5, 60, 9), plan: 'free' }, of(7, 61, 8))).toMatchObject({
      calls: 12,
      refused: 2,
      plan: 'free',
      peak: { minute: { used: 7, limit: 61 } },
      wanted: { minute: 9, day: 2 },
    })
    expect(mergeUsage(of(7, 61, 8), { ...of(5, 60, 9), plan: 'pro' })).toMatchObject({
      plan: 'pro',
      peak: { minute: { used: 7, limit: 61 } },
      wanted: { minute: 9 },
    })
  })
})

describe('callers', () => {
  const exchange = (id: number, key: string | undefined, client = '1', sandbox = 'default') =>
    ({ id, sandbox, call: { client }, trace: { key } }) as Exchange

  function open(starts: Readonly<Record<string, number>> = {}) {
    const ended: string[] = []
    const portions: (() => number)[] = []
    const callers = createCallers<string>({
      create: ({ id }, portion) => {
        portions.push(portion)
        return `caller ${id}`
      },
      onEnd: caller => ended.push(caller),
      startsAt: ({ sandbox }) => starts[sandbox] ?? 1,
    })
    return { callers, ended, portions, starts }
  }

  test('are a key in a sandbox, or an address without a key', () => {
    const { callers } = open()
    const calls = [
      exchange(1, 'a'),
      exchange(2, 'a', '2'),
      exchange(3, 'b'),
      exchange(4, 'a', '1', 'w1'),
      exchange(5, undefined, '1'),
      exchange(6, undefined, '2'),
      exchange(7, undefined, '1'),
    ]
    expect(calls.map(call => callers.of(call).caller)).toEqual([
      'caller 1',
      'caller 1',
      'caller 3',
      'caller 4',
      'caller 5',
      'caller 6',
      'caller 5',
    ])
    expect(callers.all().at(-1)).toBe('caller 5')
  })

  test('share the memory: up to 50 have all of it each, twice as many a half', () => {
    const { callers, portions } = open()
    const portionAfter = (count: number) => {
      for (let id = callers.all().length + 1; id <= count; id += 1) callers.of(exchange(id, `key ${id}`))
      return portions[0]?.()
    }
    expect([1, 50, 100, 1_000].map(portionAfter)).toEqual([1, 1, 0.5, 0.05])
  })

  test('end when their sandbox restarts, or when 1,000 newer ones came', () => {
    const { callers, ended, starts } = open({ w1: 1 })
    callers.of(exchange(1, 'a'))
    callers.of(exchange(2, 'a', '1', 'w1'))
    Object.assign(starts, { w1: 3 })
    expect(callers.of(exchange(4, 'a', '1', 'w1')).caller).toBe('caller 4')
    expect(ended).toEqual(['caller 2'])
    for (let id = 5; id < 1_005; id += 1) callers.of(exchange(id, `key ${id}`))
    expect(ended).toEqual(['caller 2', 'caller 1', 'caller 4'])
    expect(callers.forgotten()).toBe(2)
  })
})

describe('conduct of callers', () => {
  const invalid = { headers: ['Content-Type', 'application/json'] }

  test.each<[about: string, flight: Parameters<typeof fly>[1], found: readonly string[]]>([
    ['a refused path counts for no caller', ({ call, repeat }) => repeat(5, () => call('GET /other')), []],
    [
      'an invalid call, valid ones in between',
      ({ call, repeat }) => repeat(5, () => [call('POST /v1/pets', invalid), call()]),
      [],
    ],
    [
      'an invalid call, failures in between',
      ({ call, repeat }) => repeat(3, () => [call('POST /v1/pets', invalid), call('GET /v1/pets/999')]),
      ['deprecated-operation ×3', 'invalid-request-repeated'],
    ],
    [
      'an invalid key, and another one',
      ({ call, repeat }) =>
        repeat(2, () => [call('GET /v1/pets', { key: 'x' }), call('GET /v1/pets', { key: 'y' })]),
      [],
    ],
    [
      'pages again after a new pet',
      ({ call }) => {
        const json = { ...invalid, body: '{"name":"Rex","categoryId":1}' }
        call()
        call('GET /v1/pets?cursor=YWZ0ZXI6MjA')
        call('POST /v1/pets', json)
        call('GET /v1/pets?cursor=YWZ0ZXI6MjA')
      },
      [],
    ],
    [
      'pages again after a refused pet',
      ({ call }) => {
        call()
        call('GET /v1/pets?cursor=YWZ0ZXI6MjA')
        call('POST /v1/pets', invalid)
        call('GET /v1/pets?cursor=YWZ0ZXI6MjA')
      },
      ['page-asked-again'],
    ],
  ])('%s', (_about, flight, found) => {
    expect(idsOf(fly({}, flight))).toEqual(found)
  })
})
