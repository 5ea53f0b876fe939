import { describe, expect, it } from 'vitest'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { readFixtures } from '../../../src/control/fixtures/read.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { OpenAreas } from '../../../src/emulator/gates/open-areas.ts'
import { reply } from '../../../src/service/call/answer.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'

interface Asked {
  readonly key?: string
  readonly method?: string
  readonly target?: string
  readonly prefer?: string
  readonly body?: string
}

/** GET /v1/toys, which a user's contract adds. */
const toys: OpenAreas = {
  paths: ['/v1/toys'],
  methods: ['GET'],
  find: path =>
    path === '/v1/toys'
      ? { id: 'listToys', source: 'mocker', stability: undefined, answer: () => reply(200, '[]') }
      : undefined,
  methodsAt: path => (path === '/v1/toys' ? ['GET'] : []),
}

/** Calls of a service with settings. */
function serve(file: ScenarioFile, fixtures = shippedFixtures) {
  const emulator = createEmulator({ scenario: scenarioOf(file, fixtures), startedAt: noon })
  emulator.openAreas(toys)
  return ({ key = 'demo-free', method = 'GET', target = '/v1/pets', prefer, body }: Asked = {}) => {
    const sent = emulator.handle({
      method,
      target,
      headers: [
        ...['Host', 'localhost', 'Authorization', `Bearer ${key}`],
        ...(body === undefined ? [] : ['Content-Type', 'application/json']),
        ...(prefer === undefined ? [] : ['Prefer', prefer]),
      ],
      body: body === undefined ? undefined : new TextEncoder().encode(body),
      scheme: 'http',
      client: 'a',
      receivedAt: noon,
    })
    const trace = [...emulator.sandboxes.default.journal].at(-1)?.trace
    return { ...sent, text: sent.body ?? '', said: JSON.parse(sent.body ?? 'null'), trace }
  }
}

describe('the wording of errors', () => {
  const errors = {
    pet_not_found: { message: 'No pet.' },
    invalid_body: { message: '{name} has a wrong {field}.' },
    route_not_found: { code: 'nothing_here' },
    method_not_allowed: { message: 'No {__proto__}, no {toString}, but {method}.' },
  }
  it.each<[what: string, asked: Asked, said: object]>([
    [
      'that comes second',
      { method: 'POST', body: '{"name":"Rex","categoryId":"dog"}' },
      { code: 'invalid_body', message: 'Rex has a wrong categoryId.' },
    ],
    [
      'with a name that is no text',
      { method: 'POST', body: '{"name":7,"categoryId":1}' },
      { code: 'invalid_body', message: '{name} has a wrong name.' },
    ],
    [
      'with a body that has no names',
      { method: 'POST', body: '[]' },
      { code: 'invalid_body', message: expect.stringMatching(/^\{name\} has a wrong /) },
    ],
    [
      'with slots that stand for nothing',
      { method: 'PUT', target: '/v1/pets' },
      { code: 'method_not_allowed', message: 'No {__proto__}, no {toString}, but PUT.' },
    ],
    [
      'of which only the code is other',
      { target: '/v1/nothing' },
      { code: 'nothing_here', message: expect.stringContaining('There is nothing at GET /v1/nothing.') },
    ],
    [
      'that the settings do not name',
      { target: '/v1/pets?limit=0' },
      { code: 'invalid_parameter', message: expect.stringContaining('limit') },
    ],
  ])('of an error %s', (_, asked, said) => {
    expect(serve({ errors })(asked).said).toEqual({ status: expect.any(Number), ...said })
  })
})

describe('extra members of pets', async () => {
  const own = `extra: true
pets:
  - { name: Rex, categoryId: 4, status: sold }
  - { tags: [own], name: Tom, categoryId: 5 }
`
  const reading = await readFixtures('my', new Map([['pets.yaml', own]]), shippedFixtures)
  if (!reading.ok) throw new Error(JSON.stringify(reading.complaints))
  const members = { kind: 'animal', tags: ['x'] }
  const serveOwn = () => serve({ responses: { pet: members }, pets: { count: 2 } }, reading.value)
  const [rex, tom] = [
    '{"id":1,"name":"Rex","categoryId":4,"status":"sold","kind":"animal","tags":["x"]}',
    '{"id":2,"name":"Tom","categoryId":5,"kind":"animal","tags":["own"]}',
  ]
  it.each<[what: string, asked: Asked, text: string]>([
    ['follow those of the specification', { target: '/v1/pets/1' }, rex],
    ['do not replace those of a pet', { target: '/v1/pets/2' }, tom],
    ['are in lists', {}, `[${rex},${tom}]`],
    [
      'are in the answer to a create',
      { method: 'POST', body: '{"name":"Ace","categoryId":1,"status":"pending"}' },
      '{"id":3,"name":"Ace","categoryId":1,"status":"pending","kind":"animal","tags":["x"]}',
    ],
  ])('%s', (_, asked, text) => {
    expect(serveOwn()(asked).text).toBe(text)
  })

  it('are in no order of the store', () => {
    const orders = { method: 'GET', target: '/v1/store/orders' }
    expect(serveOwn()(orders).text).toBe(serve({})(orders).text)
  })
})

describe('extra headers', () => {
  it.each<[what: string, asked: Asked, isDressed: boolean]>([
    ['a list', {}, true],
    ['a refusal', { target: '/v1/pets?limit=0' }, true],
    ['an unknown path', { target: '/v1/nothing' }, true],
    ['an unknown key', { key: 'nobody' }, true],
    ['a key that used up its limit', { key: 'spent' }, true],
    ['a banned key', { key: 'banned' }, true],
    ['an order of the store', { target: '/v1/store/orders' }, true],
    ['a path outside the API', { target: '/elsewhere' }, false],
    ['a preflight', { method: 'OPTIONS' }, false],
    ['what a call asks for', { prefer: 'code=404' }, false],
    ['what a rule answers', { target: '/v1/pets/7' }, false],
    ['an operation that a contract adds', { target: '/v1/toys' }, false],
  ])('are only in what the service answers: %s', (_, asked, isDressed) => {
    const rules = [{ name: 'gone', match: { path: '/v1/pets/7' }, then: { status: 404 } }]
    const plan = 'free' as const
    const keys = { spent: { plan, used: { minute: 60 } }, banned: { plan, banned: '5m' as const } }
    const { headers, text } = serve({ responses: { headers: { 'X-Api': '7' } }, rules, keys })(asked)
    expect(headers['X-Api']).toBe(isDressed ? '7' : undefined)
    // The rest stays as it is.
    expect(text).toBe(serve({ rules, keys })(asked).text)
  })
})

describe('latency', () => {
  const latency = { listPets: { median: '80ms', p99: '80ms' } } as const

  it.each<[what: string, file: ScenarioFile, asked: Asked, ms: number | undefined]>([
    ['an operation takes as long as it says', { latency }, {}, 80],
    ['another operation takes none', { latency }, { target: '/v1/pets/1' }, undefined],
    ['a path that is no operation takes none', { latency }, { target: '/v1/nothing' }, undefined],
    ['a refusal of the operation takes as long', { latency }, { target: '/v1/pets?limit=0' }, 80],
    [
      'the delay of a rule comes on top',
      { latency, rules: [{ name: 'late', then: { delay: '5ms' } }] },
      {},
      85,
    ],
    [
      'what a rule answers takes none',
      { latency, rules: [{ name: 'down', then: { status: 503 } }] },
      {},
      undefined,
    ],
    [
      'it is at most ten minutes: this draw would be longer',
      { seed: 19, latency: { listPets: { median: '9m', p99: '10m' } } },
      {},
      600_000,
    ],
    [
      'with the delay of a rule, it is at most ten minutes, too',
      { latency, rules: [{ name: 'late', then: { delay: '10m' } }] },
      {},
      600_000,
    ],
    ['of no length delays nothing', { latency: { listPets: { median: '0s', p99: '0s' } } }, {}, undefined],
    ['off, nothing is late', { latency: 'off' }, {}, undefined],
  ])('%s', (_, file, asked, ms) => {
    expect(serve(file)(asked).delayMs).toBe(ms)
  })

  it('is drawn anew for each call, and equal for equal seeds in every version', () => {
    const call = serve({ seed: 7, latency: { listPets: { median: '80ms', p99: '900ms' } } })
    expect([1, 2, 3, 4].map(() => call().delayMs)).toEqual([120, 56, 32, 39])
  })

  it('leaves no mark, and is nothing that a rule did', () => {
    const { headers, trace } = serve({ latency })()
    expect(headers).not.toHaveProperty('X-Pet-Mock')
    expect(trace).toMatchObject({ gate: 'operation', rules: undefined, synthetic: false })
  })
})
