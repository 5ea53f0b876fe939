import { describe, expect } from 'vitest'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { adminOf } from '../../support/admin.ts'
import { sendOverHttp } from '../../support/doors.ts'
import { serverTest as test } from '../../support/raw-http.ts'
import { scenarioOf } from '../../support/scenarios.ts'

const freeKey = {
  key: 'demo-free',
  plan: 'free',
  limits: { minute: 60, day: 1000 },
  used: { minute: 0, day: 0 },
  remaining: { minute: 60, day: 1000 },
  resets: { minute: null, day: null },
  strikes: 0,
  banAfter: 10,
  bannedUntil: null,
  revoked: false,
  expires: null,
}
const banned = { ...freeKey, bannedUntil: '2026-03-02T12:02:00Z' }
const rex = { id: 101, name: 'Rex', categoryId: 1 }
const outage = {
  name: 'outage',
  rule: { name: 'outage', then: { status: 503, code: 'down', message: 'Back soon.' } },
  added: true,
  since: '2026-03-02T12:00:00.250Z',
  on: true,
  retired: false,
  acted: 0,
  calls: {},
}
const clock = { at: '2026-03-02T12:00:00.250Z', frozen: true, scale: 0 }
const world = { name: 'default', scenario: 'test', clock, pets: 100, keys: 4, requests: 0 }

type Step = readonly [call: string, body: object | undefined, status: number, answer: unknown]

test.for<[what: string, ...steps: Step[]]>([
  [
    'keys are added, changed, banned, unbanned and deleted',
    [
      'POST /keys',
      { key: 'mine', plan: 'free', used: { minute: 59 } },
      201,
      expect.objectContaining({ remaining: { minute: 1, day: 941 } }),
    ],
    [
      'PATCH /keys/mine',
      { plan: 'pro', revoked: true },
      200,
      expect.objectContaining({ plan: 'pro', revoked: true }),
    ],
    ['POST /keys/demo-free/ban', { for: '2m' }, 200, banned],
    ['GET /keys', undefined, 200, { keys: expect.arrayContaining([banned]) }],
    ['POST /keys/demo-free/unban', undefined, 200, freeKey],
    ['DELETE /keys/mine', undefined, 200, expect.objectContaining({ key: 'mine' })],
    ['DELETE /keys/mine', undefined, 404, expect.objectContaining({ code: 'not_found' })],
  ],
  [
    'a key of letters that a path has to escape',
    ['POST /keys', { key: 'a/b+c==', plan: 'free' }, 201, expect.objectContaining({ key: 'a/b+c==' })],
    ['POST /keys/a%2Fb%2Bc==/ban', undefined, 200, expect.objectContaining({ key: 'a/b+c==' })],
    ['DELETE /keys/a%2fb+c%3D%3D', undefined, 200, expect.objectContaining({ key: 'a/b+c==' })],
  ],
  [
    'pets are added, changed, found and deleted',
    ['POST /pets', { name: 'Rex', categoryId: 1 }, 201, rex],
    ['PATCH /pets/101', { status: 'sold' }, 200, { ...rex, status: 'sold' }],
    [
      'GET /pets?after=100&status=sold',
      undefined,
      200,
      { pets: [{ ...rex, status: 'sold' }], total: 101, more: false },
    ],
    [
      'GET /pets?after=99&limit=1',
      undefined,
      200,
      { pets: [expect.objectContaining({ id: 100 })], total: 101, more: true },
    ],
    ['DELETE /pets/101', undefined, 200, { ...rex, status: 'sold' }],
    ['GET /pets?after=100', undefined, 200, { pets: [], total: 100, more: false }],
    [
      'DELETE /pets/101',
      undefined,
      404,
      { code: 'not_found', message: 'There is no pet with the id 101.', status: 404 },
    ],
  ],
  [
    'rules are added, listed and removed',
    ['POST /rules', outage.rule, 201, outage],
    ['GET /rules', undefined, 200, { rules: [outage] }],
    ['DELETE /rules/outage', undefined, 200, outage],
    [
      'DELETE /rules/outage',
      undefined,
      404,
      { code: 'not_found', message: 'There is no rule "outage"; there are no rules.', status: 404 },
    ],
  ],
  [
    'the scenario',
    [
      'GET /scenario',
      undefined,
      200,
      { name: 'test', title: 'test', description: null, key: 'demo-free', seed: 1 },
    ],
    ['PUT /scenario', { scenario: 'ban' }, 200, expect.objectContaining({ name: 'ban' })],
    [
      'PUT /scenario',
      { scenario: { extends: 'empty-store', seed: 7 }, name: 'mine' },
      200,
      expect.objectContaining({ name: 'mine', seed: 7 }),
    ],
    ['GET /pets', undefined, 200, { pets: [], total: 0, more: false }],
    [
      'GET /scenarios',
      undefined,
      200,
      { scenarios: expect.arrayContaining([expect.objectContaining({ name: 'free-plan' })]) },
    ],
  ],
  [
    'a snapshot is taken and put back',
    ['POST /pets', { name: 'Rex', categoryId: 1 }, 201, rex],
    ['GET /snapshot', undefined, 200, expect.objectContaining({ version: 1 })],
    ['PUT /snapshot', { version: 1 }, 400, expect.objectContaining({ code: 'invalid_command' })],
    ['GET /pets?after=100', undefined, 200, expect.objectContaining({ total: 101 })],
  ],
  [
    'sandboxes are made by what names them, listed, reset and dropped',
    ['PUT /sandboxes/a', undefined, 200, { ...world, name: 'a' }],
    ['POST /pets?sandbox=a', { name: 'Rex', categoryId: 1 }, 201, rex],
    ['PUT /sandboxes/a?sandbox=b', undefined, 200, { ...world, name: 'a', pets: 101 }],
    ['PUT /sandboxes/default', undefined, 200, world],
    ['POST /clock/advance?sandbox=b', { by: '1s' }, 200, expect.objectContaining({ frozen: true })],
    [
      'GET /sandboxes',
      undefined,
      200,
      { sandboxes: [world, { ...world, name: 'a', pets: 101 }, expect.objectContaining({ name: 'b' })] },
    ],
    ['GET /sandboxes?sandbox=a', undefined, 200, { sandboxes: [{ ...world, name: 'a', pets: 101 }] }],
    ['POST /reset?sandbox=a', undefined, 200, { sandboxes: [{ ...world, name: 'a' }] }],
    ['DELETE /sandboxes?sandbox=a', undefined, 200, { sandboxes: [] }],
    ['DELETE /sandboxes?sandbox=a', undefined, 404, expect.objectContaining({ code: 'not_found' })],
    ['GET /keys?sandbox=a', undefined, 404, expect.objectContaining({ code: 'not_found' })],
    ['POST /reset?sandbox=*', undefined, 200, { sandboxes: [world, { ...world, name: 'b' }] }],
    ['DELETE /sandboxes', undefined, 200, { sandboxes: [world] }],
    ['GET /sandboxes', undefined, 200, { sandboxes: [world] }],
  ],
  [
    'the server',
    [
      'GET /health',
      undefined,
      200,
      {
        status: 'ok',
        name: 'pet-mock',
        version: expect.any(String),
        start: expect.any(String),
        scenario: 'test',
        snapshotLimit: 268_435_456,
      },
    ],
  ],
])('%s', async ([, ...steps], { open }) => {
  const admin = adminOf((await open()).host)
  for (const [call, body, status, answer] of steps) {
    const reply = await admin(call, body)
    expect([call, reply.status, reply.json]).toEqual([call, status, answer])
  }
})

test('int64s beyond 2^53 are sent as texts, and read as texts or numbers', async ({ open }) => {
  const id = '9007199254740993'
  const { host } = await open({ scenario: scenarioOf({ pets: { count: 1, firstId: BigInt(id) } }) })
  const admin = adminOf(host)
  expect((await admin(`GET /pets?after=${BigInt(id) - 1n}`)).json).toMatchObject({ pets: [{ id }] })
  const json = [['Content-Type', 'application/json']] as const
  for (const categoryId of [`"${id}"`, id]) {
    const changed = await admin(`PATCH /pets/${id}`, `{"categoryId":${categoryId}}`, json)
    expect(changed.json).toMatchObject({ id, categoryId: id })
  }
})

test('pets are shown with the members that the fixtures add, and keep them', async ({ open }) => {
  const extra = '{"breed":"Beagle","no":9007199254740995}'
  const pets = [{ id: 4711, name: 'Rex', categoryId: 1, status: undefined, extra }]
  const { host } = await open({ scenario: scenarioOf({ pets: { count: 1 } }, { ...shippedFixtures, pets }) })
  const admin = adminOf(host)
  const rex = { id: 4711, name: 'Rex', categoryId: 1, extra: { breed: 'Beagle', no: '9007199254740995' } }
  expect((await admin('GET /pets')).json).toEqual({ pets: [rex], total: 1, more: false })
  expect((await admin('PATCH /pets/4711', { status: 'sold' })).json).toEqual({ ...rex, status: 'sold' })
})

test('PUT /scenario reads int64s as texts, too', async ({ open }) => {
  const [first, gone, last] = ['9007199254740993', '9007199254740994', '9007199254740995']
  const { host } = await open()
  const admin = adminOf(host)
  const pets = { count: 2, firstId: first, gone: [gone], add: [{ name: 'Rex', categoryId: first }] }
  expect((await admin('PUT /scenario', { scenario: { pets } })).json).toMatchObject({ name: 'unnamed' })
  expect((await admin('GET /pets')).json).toMatchObject({
    pets: [{ id: first }, { id: last, name: 'Rex', categoryId: first }],
  })
  const wrong = await admin('PUT /scenario', { scenario: { pets: { firstId: '0' } } })
  expect([wrong.status, wrong.json]).toMatchObject([400, { message: expect.stringContaining('firstId') }])
})

test('a snapshot goes out and comes back complete', async ({ open }) => {
  const { host } = await open()
  const admin = adminOf(host)
  await admin('POST /pets', { name: 'Rex', categoryId: 1 })
  await admin('POST /keys/demo-free/ban', { for: '2m' })
  const { json: snapshot } = await admin('GET /snapshot')
  await admin('POST /reset')
  expect((await admin('PUT /snapshot', snapshot)).status).toBe(200)
  expect((await admin('GET /snapshot')).json).toEqual(snapshot)
})

describe('unknown paths and methods', () => {
  test.for<[call: string, status: number, message: string, allow?: string]>([
    ['GET /clocks', 404, 'There is no route "/__admin/clocks". Did you mean /__admin/clock?'],
    ['POST /rset', 404, 'There is no route "/__admin/rset". Did you mean /__admin/reset?'],
    [
      'GET /mappings/near-misses',
      404,
      'There is no route "/__admin/mappings/near-misses". /__admin/docs lists all routes.',
    ],
    ['GET /%zz', 404, 'There is no route "/__admin/%zz". /__admin/docs lists all routes.'],
    ['GET /reset', 405, '/__admin/reset accepts POST, OPTIONS, not GET.', 'POST, OPTIONS'],
    [
      'PUT /keys/demo-free',
      405,
      '/__admin/keys/{key} accepts PATCH, DELETE, OPTIONS, not PUT.',
      'PATCH, DELETE, OPTIONS',
    ],
    ['TRACE /clock', 405, '/__admin/clock accepts GET, HEAD, OPTIONS, not TRACE.', 'GET, HEAD, OPTIONS'],
    [
      'PROPFIND /clock',
      405,
      '/__admin/clock accepts GET, HEAD, OPTIONS, not PROPFIND.',
      'GET, HEAD, OPTIONS',
    ],
  ])('%s', async ([call, status, message, allow], { open }) => {
    const reply = await adminOf((await open()).host)(call)
    expect([reply.status, reply.json?.message, reply.headers.allow]).toEqual([status, message, allow])
  })

  test('OPTIONS lists the methods', async ({ open }) => {
    const { status, headers, text } = await adminOf((await open()).host)('OPTIONS /keys')
    expect([status, headers.allow, text]).toEqual([204, 'GET, HEAD, POST, OPTIONS', ''])
  })
})

test.for<[call: string, body: object | undefined, code: string, message: string]>([
  [
    'GET /pets?limit=0&statu=sold',
    undefined,
    'invalid_parameter',
    'limit: expected a number of pets from 1 to 100000, found "0"; statu: unknown field; did you mean status?',
  ],
  [
    'GET /pets?limit=1&limit=2',
    undefined,
    'invalid_parameter',
    'limit: expected a number of pets from 1 to 100000, found a list.',
  ],
  [
    'GET /clock?sandbox=*',
    undefined,
    'invalid_parameter',
    'sandbox: expected the name of a sandbox: 1 to 64 letters, digits and . _ -, found "*".',
  ],
  [
    'POST /reset?sandbox=a%20b',
    undefined,
    'invalid_parameter',
    'sandbox: expected the name of a sandbox: 1 to 64 letters, digits and . _ -; or * for all, found "a b".',
  ],
  ['POST /reset', { force: true }, 'invalid_command', 'force: unknown field; no fields are allowed here.'],
  [
    'POST /keys',
    { plan: 'fre' },
    'invalid_command',
    'key is missing: expected an API key (letters, digits and . _ ~ + / -).',
  ],
  [
    'PUT /sandboxes/a%20b',
    undefined,
    'invalid_command',
    'name: expected the name of a sandbox: 1 to 64 letters, digits and . _ -, found "a b".',
  ],
  [
    'PUT /sandboxes/*',
    undefined,
    'invalid_command',
    'name: expected the name of a sandbox: 1 to 64 letters, digits and . _ -, found "*".',
  ],
  [
    'DELETE /pets/rex',
    undefined,
    'invalid_command',
    'id: expected the id of a pet (a whole number of at most 64 bits), found "rex".',
  ],
  ['PATCH /pets/1', { id: 2 }, 'invalid_command', 'id: unknown field; known are name, categoryId, status.'],
  [
    'POST /rules',
    { match: { key: 'demo-fre' }, then: { status: 503 } },
    'invalid_command',
    'rule.match.key: unknown key "demo-fre"; did you mean demo-free?',
  ],
  [
    // Every mistake, in the order of the body.
    'PUT /scenario',
    {
      scenario: {
        titel: 'x',
        extends: 'free-plann',
        rules: [{ then: { status: 503 } }, { then: { status: 99 } }],
        pets: { cuont: 1 },
      },
    },
    'invalid_command',
    'scenario.titel: unknown field; did you mean title?; scenario.extends: no shipped scenario is named "free-plann"; did you mean free-plan? More may follow once extends is mended; scenario.rules[1].then.status: expected a status from 200 to 599, found 99; scenario.pets.cuont: unknown field; did you mean count?',
  ],
  [
    // Also those about fields that contradict each other.
    'PUT /scenario',
    { scenario: { clock: { frozen: true, scale: 2 }, titel: 'x', plans: { free: 1 }, key: 'nobody' } },
    'invalid_command',
    'scenario.clock.scale: a frozen clock does not run: remove scale or frozen; scenario.titel: unknown field; did you mean title?; scenario.plans.free: expected a map of fields, found 1; write it like { minute: 60, day: 1000 }.',
  ],
  [
    // Those alone, too.
    'PUT /scenario',
    { scenario: { walkthrough: [{ call: 'GET /v1/pets/${nothing}' }], key: 'nope' } },
    'invalid_command',
    'scenario.walkthrough[0].call: no earlier step saves nothing: add save: { nothing: body.id } to the step whose answer has it; scenario.key: unknown key "nope"; known are demo-free, demo-pro, demo-business, demo-enterprise.',
  ],
])('wrong: %s %j', async ([call, body, code, message], { open }) => {
  const { json, status } = await adminOf((await open()).host)(call, body)
  expect([status, json]).toEqual([400, { code, message, status: 400 }])
})

test('a scenario with more than a hundred mistakes is refused with the first hundred', async ({ open }) => {
  const keys = Object.fromEntries(Array.from({ length: 4_000 }, (_, n) => [`k${n}`, 5]))
  const scenario = { keys, walkthrough: [{ call: 5 }] }
  const { json, status } = await adminOf((await open()).host)('PUT /scenario', { scenario })
  expect([status, json.code]).toEqual([400, 'invalid_command'])
  expect(json.message.split('; ').map((one: string) => /^scenario\.keys\.k\d+(?=: )/.exec(one)?.[0])).toEqual(
    expect.arrayContaining(['scenario.keys.k0', 'scenario.keys.k99']),
  )
  expect(json.message).not.toContain('scenario.keys.k100:')
})

test('admin calls cost no quota and are not in the journal', async ({ open }) => {
  const { host, emulator } = await open()
  const admin = adminOf(host)
  const seen: string[] = []
  emulator.observe(({ call }) => seen.push(call.target))
  const api = () =>
    sendOverHttp(host, {
      method: 'GET',
      target: '/v1/pets',
      headers: [['Authorization', 'Bearer demo-free']],
      body: undefined,
    })
  await api()
  for (const call of ['GET /keys', 'GET /nowhere', 'PUT /clock', 'POST /clock/freeze', 'OPTIONS /reset'])
    await admin(call, undefined, [['Authorization', 'Bearer demo-free']])
  expect(await api()).toMatchObject({ headers: { 'x-ratelimit-remaining': '58' } })
  expect(seen).toEqual(['/v1/pets', '/v1/pets'])
  expect(emulator.metrics.calls.total).toBe(2)
})

test.for(['/__adminx', '/__ADMIN/clock', '//__admin/clock', '/%5f_admin/clock', '/v1/__admin'])(
  '%s is not the admin plane',
  async (target, { open }) => {
    const { host } = await open()
    const reply = await sendOverHttp(host, { method: 'GET', target, headers: [], body: undefined })
    expect(['route_not_found', 'missing_api_key']).toContain(JSON.parse(reply.text).code)
  },
)

test.for(['/__admin', '/__admin/', 'http://127.0.0.1/__admin'])(
  '%s leads to the docs',
  async (target, { open }) => {
    const { host } = await open()
    const reply = await sendOverHttp(host, { method: 'GET', target, headers: [], body: undefined })
    expect([reply.status, reply.headers.location]).toEqual([302, '/__admin/openapi.json'])
  },
)
