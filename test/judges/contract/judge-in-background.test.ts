import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import type { Scenario } from '../../../src/emulator/worlds/scenario.ts'
import { judgeInBackground } from '../../../src/judges/contract/contract-verdict.ts'
import type { Judge } from '../../../src/judges/contract/judge.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'

const breach = { side: 'response', part: 'body', place: '', message: 'Response body is wrong' } as const

/** A judge that finds a breach in calls for orders, and fails on calls for a pet. */
const judge: Judge = {
  operations: [],
  judge: async ({ target }) => {
    if (target.startsWith('/pets/')) throw new Error('no judgement')
    const breaches = target.startsWith('/store') ? [breach] : []
    return {
      operation: undefined,
      isDocumented: true,
      isOtherError: false,
      breaches,
      assumed: new Set(),
      isBodyAssumed: false,
    }
  },
}

/** Exchanges of an emulator, one for each target. */
function exchangesOf(
  how: { readonly scenario?: Scenario; readonly method?: string; readonly host?: string },
  ...targets: readonly string[]
): readonly Exchange[] {
  const { scenario = scenarioOf({}), method = 'GET', host = 'localhost' } = how
  const exchanges: Exchange[] = []
  const emulator = createEmulator({ scenario, startedAt: noon })
  emulator.observe(exchange => exchanges.push(exchange))
  for (const target of targets)
    emulator.handle({
      method,
      target,
      headers: ['Host', host, 'Authorization', 'Bearer demo-enterprise'],
      body: undefined,
      scheme: 'http',
      client: '127.0.0.1',
      receivedAt: noon,
    })
  return exchanges
}

interface StartOptions {
  readonly mostWaiting?: number
  readonly mostBytes?: number
  readonly load?: () => Promise<Judge>
}

function start(options: StartOptions = {}) {
  const told: (number | string)[] = []
  const background = judgeInBackground({
    nextTurn,
    load: async () => {
      told.push('loaded')
      return judge
    },
    onBreach: ({ id }, { breaches }) => told.push(id, ...breaches.map(({ message }) => message)),
    onUnjudged: ({ id }, reason) => told.push(id, String(reason)),
    ...options,
  })
  return { background, told }
}

test('judges exchanges later, and loads the judge once', async () => {
  const { background, told } = start()
  const exchanges = exchangesOf({}, '/v1/pets', '/v1/store/orders', '/v1/pets', '/', '/v1/store/orders')
  for (const exchange of exchanges) background.observe(exchange)
  expect(told).toEqual([])
  expect(await background.settled()).toEqual({ judged: 4, broken: 2 })
  for (const exchange of exchanges) background.observe(exchange)
  expect(await background.settled()).toEqual({ judged: 8, broken: 4 })
  expect(told).toEqual(['loaded', ...[2, 5, 2, 5].flatMap(id => [id, breach.message])])
})

test('skips calls that did not reach the API, and incomplete responses', async () => {
  const { background } = start()
  const rules = [{ match: { operation: 'listPets' }, then: { fault: 'truncate' } }] as const
  const scenario = scenarioOf({ rules })
  for (const [method, host] of [
    ['GET', 'two hosts'],
    ['HEAD', 'localhost'],
    ['GET', 'localhost'],
  ] as const)
    for (const exchange of exchangesOf({ scenario, method, host }, '/v1/pets')) background.observe(exchange)
  expect(await background.settled()).toEqual({ judged: 0, broken: 0 })
})

test('loads no judge without exchanges', async () => {
  const { background, told } = start()
  expect(await background.settled()).toEqual({ judged: 0, broken: 0 })
  expect(told).toEqual([])
})

const full = 'too many calls waited for a verdict'

test.each([
  ['exchanges beyond the limit of the queue', { mostWaiting: 3 }],
  ['exchanges beyond the bytes of the queue', { mostBytes: 3_500 }],
])('gives no verdict on %s, and names each', async (_, most) => {
  const { background, told } = start(most)
  const exchanges = exchangesOf({}, ...Array.from({ length: 5 }, () => '/v1/pets'))
  for (const exchange of exchanges) background.observe(exchange)
  const { judged } = await background.settled()
  const skipped = told.filter(line => line === full).length
  expect(judged + skipped).toBe(5)
  expect(skipped).toBeGreaterThan(0)
  for (const exchange of exchanges.slice(0, 2)) background.observe(exchange)
  expect(await background.settled()).toEqual({ judged: judged + 2, broken: 0 })
})

test('as many exchanges wait for a verdict as the limit of the queue says', async () => {
  const { background, told } = start({ mostWaiting: 3 })
  for (const exchange of exchangesOf({}, ...Array.from({ length: 5 }, () => '/v1/pets')))
    background.observe(exchange)
  expect(await background.settled()).toEqual({ judged: 3, broken: 0 })
  expect(told).toEqual([4, full, 5, full, 'loaded'])
})

test('a full queue has room for calls that need no verdict', async () => {
  const { background, told } = start({ mostWaiting: 0 })
  for (const exchange of exchangesOf({}, '/')) background.observe(exchange)
  await background.settled()
  expect(told).toEqual([])
})

test('continues after an exchange on which the judge fails, and names it', async () => {
  const { background, told } = start()
  for (const exchange of exchangesOf({}, '/v1/pets/1', '/v1/store/orders')) background.observe(exchange)
  expect(await background.settled()).toEqual({ judged: 1, broken: 1 })
  expect(told).toEqual(['loaded', 1, 'Error: no judgement', 2, breach.message])
})

test('forgets a failed load: the calls that waited get no verdict, and the next one tries again', async () => {
  let loads = 0
  const { background, told } = start({
    load: async () => {
      loads += 1
      if (loads === 1) throw new Error('too many open files')
      return judge
    },
  })
  const [one, two, three] = exchangesOf({}, '/v1/pets', '/v1/pets', '/v1/store/orders')
  for (const exchange of [one, two]) if (exchange !== undefined) background.observe(exchange)
  expect(await background.settled()).toEqual({ judged: 0, broken: 0 })
  const reason = 'Error: too many open files'
  expect(told).toEqual([1, reason, 2, reason])
  if (three !== undefined) background.observe(three)
  expect(await background.settled()).toEqual({ judged: 1, broken: 1 })
})

test('judges more in a turn when more wait, so that a steady load never fills the queue', async () => {
  let turns = 0
  const told: string[] = []
  const [exchange] = exchangesOf({}, '/v1/pets')
  if (exchange === undefined) throw new Error('no exchange')
  const background = judgeInBackground({
    // In each turn come 300 calls, until 30 000 came.
    nextTurn: async () => {
      await nextTurn()
      turns += 1
      for (let call = 0; turns <= 100 && call < 300; call += 1) background.observe(exchange)
    },
    load: async () => judge,
    onBreach: () => {},
    onUnjudged: (_, reason) => told.push(String(reason)),
  })
  background.observe(exchange)
  expect(await background.settled()).toEqual({ judged: 30_001, broken: 0 })
  expect(told).toEqual([])
})
