import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createEmulator, type EmulatorOptions } from '../../src/emulator/emulator.ts'
import { passGates } from '../../src/emulator/gates/gates.ts'
import type { AreaOperation, OpenAreas } from '../../src/emulator/gates/open-areas.ts'
import { reply } from '../../src/service/call/answer.ts'
import type { Call } from '../../src/service/call/call.ts'
import { lateDoors } from '../support/late-doors.ts'
import { noon, scenarioOf } from '../support/scenarios.ts'

/** One operation, at GET /v1/toys. */
function areasOf(answer: AreaOperation['answer']): OpenAreas {
  const operation: AreaOperation = { id: 'listToys', source: 'mocker', stability: undefined, answer }
  return {
    paths: ['/v1/toys'],
    methods: ['GET'],
    find: (path, method) => (path === '/v1/toys' && method === 'GET' ? operation : undefined),
    methodsAt: path => (path === '/v1/toys' ? ['GET'] : []),
  }
}

function callOf(target: string): Call {
  return {
    method: 'GET',
    target,
    headers: ['Host', 'localhost', 'Authorization', 'Bearer demo-free'],
    body: undefined,
    scheme: 'http',
    client: '127.0.0.1',
    receivedAt: noon,
  }
}

const later = async () => reply(200, '[]')

function emulatorWith(areas: OpenAreas, onError = vi.fn()) {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: noon, onError })
  emulator.openAreas(areas)
  return { emulator, onError }
}

it('only an open area promises its answer: all else is answered at once', async () => {
  const { emulator } = emulatorWith(areasOf(later))
  for (const target of ['/v1/pets', '/v1/store/orders', '/v1/nothing', '/elsewhere'])
    expect(emulator.answer(callOf(target)), target).not.toBeInstanceOf(Promise)
  const promise = emulator.answer(callOf('/v1/toys'))
  expect(promise).toBeInstanceOf(Promise)
  expect(await promise).toMatchObject({ status: 200, body: '[]' })
})

it('an area that need not wait is answered at once, too', () => {
  const { emulator } = emulatorWith(areasOf(() => reply(200, '[]')))
  expect(emulator.handle(callOf('/v1/toys'))).toMatchObject({ status: 200, body: '[]' })
})

it.each([
  [true, ['58', '59', '57']],
  [false, ['58', '59', '58']],
])('with countInvalid %j, a late 404 of an area takes back its own call only', async (countInvalid, left) => {
  const scenario = scenarioOf({ limits: { countInvalid } })
  const emulator = createEmulator({ scenario, startedAt: noon })
  let arrive = () => {}
  const arrived = new Promise<void>(resolve => {
    arrive = resolve
  })
  emulator.openAreas(areasOf(() => arrived.then(() => reply(404, '{}'))))
  const late = emulator.answer(callOf('/v1/toys'))
  const between = emulator.handle(callOf('/v1/pets'))
  arrive()
  const replies = [between, await late, emulator.handle(callOf('/v1/pets'))]
  expect(replies.map(({ headers }) => headers['X-RateLimit-Remaining'])).toEqual(left)
})

it('a caller that cannot wait gets an error that says so', () => {
  const { emulator } = emulatorWith(areasOf(later))
  expect(() => emulator.handle(callOf('/v1/toys'))).toThrow(
    new RangeError('This call reached an open area, which answers later.'),
  )
})

it('who only asks for a decision gets it at once, or an error that says so', () => {
  const decideWith = (pass?: EmulatorOptions['pass']) =>
    createEmulator({ scenario: scenarioOf({}), startedAt: noon, ...(pass && { pass }) }).decide
  expect(decideWith()(callOf('/v1/toys')).decision).toMatchObject({ answer: { status: 404 } })
  const late = decideWith(async (...call) => passGates(...call))
  expect(() => late(callOf('/v1/toys'))).toThrow(new RangeError('Only an open area answers later.'))
})

it('quota is taken when a call comes, however long its answer takes', async () => {
  const { emulator } = emulatorWith(areasOf(later))
  const replies = Array.from({ length: 61 }, () => emulator.answer(callOf('/v1/toys')))
  expect(emulator.sandboxes.default.keys.get('demo-free')?.windows.minute.used).toBe(60)
  const statuses = (await Promise.all(replies)).map(({ status }) => status)
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429])
})

it.each(lateDoors)('a failure of an area is a 500 in the Error shape, %s', async (_name, open) => {
  for (const answer of [() => Promise.reject(new Error('sorry')), () => fail('sorry')]) {
    const { emulator, onError } = emulatorWith(areasOf(answer))
    const { send, url, close } = await open(emulator)
    onTestFinished(close)
    const response = await send(`${url}/v1/toys`, { headers: { Authorization: 'Bearer demo-free' } })
    expect(await response.json()).toMatchObject({ code: 'internal_error', status: 500 })
    expect(response.headers.get('x-ratelimit-remaining')).toBe('59')
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('sorry'), expect.anything())
  }
})

describe('areas answer one call after the other', () => {
  /** An area whose answers come when a test says so. */
  function openSlowly() {
    const begun: string[] = []
    const ends: (() => void)[] = []
    const { emulator } = emulatorWith(
      areasOf(({ target }) => {
        begun.push(target.text)
        if (target.text.endsWith('at-once')) return reply(200, '[]')
        return new Promise(resolve => ends.push(() => resolve(reply(200, '[]'))))
      }),
    )
    const call = (query: string) => emulator.answer(callOf(`/v1/toys?${query}`))
    const settled = () => new Promise(resolve => setImmediate(resolve))
    const end = async () => {
      ends.shift()?.()
      await settled()
    }
    return { begun, call, end, settled }
  }

  it('in the order of the calls, however long each takes', async () => {
    const { begun, call, end, settled } = openSlowly()
    const replies = ['1', '2', '3-at-once'].map(call)
    await settled()
    expect(begun).toHaveLength(1)
    // The end of the first one does not let the third pass the second.
    await end()
    expect(begun).toHaveLength(2)
    replies.push(call('4-at-once'))
    await settled()
    expect(begun).toHaveLength(2)
    await end()
    expect(begun).toEqual(['1', '2', '3-at-once', '4-at-once'].map(query => `/v1/toys?${query}`))
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  it('and at once again when none is under way', async () => {
    const { call, end } = openSlowly()
    const late = call('late')
    expect(call('at-once')).toBeInstanceOf(Promise)
    await end()
    await late
    expect(call('at-once')).toMatchObject({ status: 200 })
  })
})

function fail(message: string): never {
  throw new Error(message)
}

it('what is opened later takes the place of what was before', async () => {
  const { emulator } = emulatorWith(areasOf(later))
  emulator.openAreas({ paths: [], methods: [], find: () => undefined, methodsAt: () => [] })
  expect(emulator.handle(callOf('/v1/toys'))).toMatchObject({ status: 404 })
})

it('the areas are those that were opened last', () => {
  const areas = areasOf(later)
  const { emulator } = emulatorWith(areas)
  expect(emulator.areas()).toBe(areas)
  expect(createEmulator({ scenario: scenarioOf({}), startedAt: noon }).areas()).toBeUndefined()
})

it.each([
  ['now', () => reply(200, '[]')],
  ['later', later],
])('a rule on the way back replaces what an area answers %s', async (_, answer) => {
  const rules = [{ name: 'lost', then: { status: 503, direction: 'response' as const } }]
  const emulator = createEmulator({ scenario: scenarioOf({ rules }), startedAt: noon })
  emulator.openAreas(areasOf(answer))
  expect(await emulator.answer(callOf('/v1/toys'))).toMatchObject({ status: 503 })
  const [exchange] = emulator.sandboxes.default.journal
  expect(exchange?.trace).toMatchObject({ gate: 'rule', area: { operation: 'listToys' }, rules: ['lost'] })
})

it.each([
  ['now', () => reply(200, 'openapi: 3.1')],
  ['later', async () => reply(200, 'openapi: 3.1')],
])('what serves the contract may answer %s', async (_, contract) => {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: noon, contract })
  expect(await emulator.answer(callOf('/openapi.yaml'))).toMatchObject({ status: 200, body: 'openapi: 3.1' })
  const [exchange] = emulator.sandboxes.default.journal
  expect(exchange?.trace).toMatchObject({ gate: 'api', operation: undefined, limit: undefined })
})

it('what serves the contract may leave no trace in the journal and the counts', () => {
  const contract = () => ({ ...reply(302, ''), isUnrecorded: true as const })
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: noon, contract })
  expect(emulator.handle(callOf('/'))).toMatchObject({ status: 302 })
  expect([emulator.sandboxes.default.journal.size, emulator.metrics.calls.total]).toEqual([0, 0])
})

it('a failure is a 500, whether somebody listens or not', () => {
  for (const onError of [undefined, vi.fn()]) {
    const emulator = createEmulator({
      scenario: scenarioOf({}),
      startedAt: noon,
      ...(onError && { onError }),
    })
    emulator.openAreas(areasOf(() => fail('sorry')))
    expect(emulator.handle(callOf('/v1/toys'))).toMatchObject({ status: 500 })
    expect(emulator.sandboxes.default.journal.at(0)?.trace.gate).toBe('failure')
  }
})

it('changes are what no call did', () => {
  const { emulator } = emulatorWith(areasOf(later))
  const [changes, revision] = [emulator.changes(), emulator.revision()]
  emulator.handle(callOf('/v1/pets'))
  expect([emulator.changes() - changes, emulator.revision() - revision]).toEqual([0, 1])
  emulator.sandboxes.startAnew('default', noon)
  expect([emulator.changes() - changes, emulator.revision() - revision]).toEqual([1, 2])
})
