import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { formatCount } from '../../../src/base/text/quantities.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import type { Scenario } from '../../../src/emulator/worlds/scenario.ts'
import { createContractVerdict } from '../../../src/judges/contract/contract-verdict.ts'
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

interface How {
  readonly scenario?: Scenario
  readonly method?: string
  readonly host?: string
  readonly body?: Uint8Array
}

/** Exchanges of an emulator, one for each target. */
function exchangesOf(
  { scenario = scenarioOf({}), method = 'GET', host = 'localhost', body }: How,
  ...targets: readonly string[]
): readonly Exchange[] {
  const exchanges: Exchange[] = []
  const emulator = createEmulator({ scenario, startedAt: noon })
  emulator.observe(exchange => exchanges.push(exchange))
  for (const target of targets)
    emulator.handle({
      method,
      target,
      headers: ['Host', host, 'Authorization', 'Bearer demo-enterprise'],
      body,
      scheme: 'http',
      client: '127.0.0.1',
      receivedAt: noon,
    })
  return exchanges
}

function start(options: Partial<Parameters<typeof createContractVerdict>[0]> = {}) {
  const told: (number | string)[] = []
  const { observe, report, reload } = createContractVerdict({
    judged: 'emulator',
    nextTurn,
    load: async () => {
      told.push('loaded')
      return judge
    },
    textOf: () => text => text,
    onBreach: ({ id }, breaches) => told.push(id, ...breaches.map(({ message }) => message)),
    notice: text => told.push(text),
    ...options,
  })
  /** What the report counts once every exchange has its verdict, and the calls without one by their reason. */
  const settled = async () => {
    const { facts, unjudged, notes } = await report()
    expect(notes).toEqual([])
    return [facts[0]?.value, ...unjudged.map(({ count, reason }) => `${count} × ${reason}`)]
  }
  return { told, settled, reload, observe: (...exchanges: readonly Exchange[]) => exchanges.forEach(observe) }
}

test('judges exchanges later, and loads the judge once', async () => {
  const { observe, settled, told } = start()
  const exchanges = exchangesOf({}, '/v1/pets', '/v1/store/orders', '/v1/pets', '/', '/v1/store/orders')
  observe(...exchanges)
  expect(told).toEqual([])
  expect(await settled()).toEqual(['4 calls; 2 broke the contract'])
  observe(...exchanges)
  expect(await settled()).toEqual(['8 calls; 4 broke the contract'])
  expect(told).toEqual(['loaded', ...[2, 5, 2, 5].flatMap(id => [id, breach.message])])
})

test('skips calls that did not reach the API, names those that a rule broke off, and loads no judge for them', async () => {
  const { observe, settled, told } = start()
  const rules = [{ match: { operation: 'listPets' }, then: { fault: 'truncate' } }] as const
  const scenario = scenarioOf({ rules })
  observe(
    ...exchangesOf({ scenario, host: 'two hosts' }, '/v1/pets'),
    ...exchangesOf({ scenario, method: 'HEAD' }, '/v1/pets'),
    ...exchangesOf({ scenario }, '/v1/pets', '/'),
  )
  expect(await settled()).toEqual(['0 calls: no call could be judged', '1 × a rule broke off its response'])
  expect(told).toEqual([])
})

const full = 'too many calls waited for a verdict'

test.each<[what: string, sent: How & { target: string }, most: number]>([
  ['as many exchanges as the limit of the queue says', { target: '/v1/pets' }, 1_000],
  [
    'exchanges of as many bytes as the limit of the queue says',
    { method: 'POST', target: '/v1/pets', body: new Uint8Array(2 ** 20).fill(0x20) },
    15,
  ],
])('%s wait for a verdict, and all others get none', async (_what, { target, ...how }, most) => {
  const { observe, settled, told } = start()
  const [sent, outside] = exchangesOf(how, target, '/')
  if (sent === undefined || outside === undefined) throw new Error('no exchange')
  observe(...Array.from({ length: most + 2 }, () => sent), outside)
  expect(await settled()).toEqual([`${formatCount(most, 'call')}; 0 broke the contract`, `2 × ${full}`])
  expect(told).toEqual([
    `The contract check has no verdict on ${how.method ?? 'GET'} /v1/pets → ${sent.reply.status}: ${full}.`,
    'loaded',
  ])
  observe(sent)
  expect(await settled()).toEqual([`${formatCount(most + 1, 'call')}; 0 broke the contract`, `2 × ${full}`])
})

test('continues after an exchange on which the judge fails, and names the first such call', async () => {
  const { observe, settled, told } = start()
  observe(...exchangesOf({}, '/v1/pets/1', '/v1/pets/2', '/v1/store/orders'))
  const reason = 'the judge failed: no judgement'
  expect(await settled()).toEqual(['1 call; 1 broke the contract', `2 × ${reason}`])
  const notice = `The contract check has no verdict on GET /v1/pets/1 → 200: ${reason}.`
  expect(told).toEqual(['loaded', notice, 3, breach.message])
})

test('forgets a failed load: the calls that waited get no verdict, and the next one tries again', async () => {
  let loads = 0
  const { observe, settled, told } = start({
    load: async () => {
      loads += 1
      if (loads === 1) throw new Error('too many open files')
      return judge
    },
  })
  observe(...exchangesOf({}, '/v1/pets', '/v1/pets'))
  const reason = 'the judge failed: too many open files'
  expect(await settled()).toEqual(['0 calls: no call could be judged', `2 × ${reason}`])
  expect(told).toEqual([`The contract check has no verdict on GET /v1/pets → 200: ${reason}.`])
  observe(...exchangesOf({}, '/v1/store/orders'))
  expect(await settled()).toEqual(['1 call; 1 broke the contract', `2 × ${reason}`])
})

test('judges each exchange by the contract of its time', async () => {
  const { observe, settled, told, reload } = start()
  const exchanges = exchangesOf({}, '/v1/store/orders', '/v1/store/orders')
  observe(...exchanges)
  reload(async () => ({
    ...judge,
    judge: ({ target, ...rest }) => judge.judge({ ...rest, target: '/pets' }),
  }))
  observe(...exchanges)
  expect(await settled()).toEqual(['4 calls; 2 broke the contract'])
  expect(told).toEqual(['loaded', 1, breach.message, 2, breach.message])
})

test('judges more in a turn when more wait, so that a steady load never fills the queue', async () => {
  let turns = 0
  const [exchange] = exchangesOf({}, '/v1/pets')
  if (exchange === undefined) throw new Error('no exchange')
  const { observe, settled } = start({
    // In each turn come 300 calls, until 30 000 came.
    nextTurn: async () => {
      await nextTurn()
      turns += 1
      for (let call = 0; turns <= 100 && call < 300; call += 1) observe(exchange)
    },
  })
  observe(exchange)
  expect(await settled()).toEqual(['30,001 calls; 0 broke the contract'])
})
