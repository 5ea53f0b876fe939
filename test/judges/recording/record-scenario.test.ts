import { describe, expect, it } from 'vitest'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { settle } from '../../../src/control/scenario/settle/settle.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import { readSeenPet } from '../../../src/judges/recording/pet-book.ts'
import { recordingText, recordScenario } from '../../../src/judges/recording/record-scenario.ts'
import { createInProcessTarget } from '../../../src/judges/walkthrough/in-process.ts'
import { play } from '../../../src/judges/walkthrough/play.ts'
import { createSecrets } from '../../../src/service/keys/mask.ts'

const start = Date.UTC(2025, 4, 6, 7, 8, 9, 300)
const secret = 'live_4f9a8c71b2e3d5f6'

type Sent = readonly [
  afterMs: number,
  call: string,
  options?: { key?: string | null; body?: string; headers?: Record<string, string> },
]

/** The calls of a client, and the answers of an emulator with this scenario. */
function seenOf(file: ScenarioFile, sent: readonly Sent[]): readonly Exchange[] {
  const scenario = settle(
    'service',
    { ...file, clock: { at: new Date(start).toISOString() } },
    shippedFixtures,
  )
  const emulator = createEmulator({
    scenario,
    startedAt: start,
    onError: error => {
      throw error
    },
  })
  const seen: Exchange[] = []
  emulator.observe(exchange => seen.push(exchange))
  let at = start
  for (const [afterMs, call, { key = secret, body, headers = {} } = {}] of sent) {
    at += afterMs
    const [method = '', target = ''] = call.split(' ')
    const own = { ...headers, ...(body && { 'content-type': 'application/json' }) }
    const credential = key === null ? [] : ['Authorization', `Bearer ${key}`]
    emulator.handle({
      method,
      target,
      headers: ['Host', 'localhost', ...credential, ...Object.entries(own).flat()],
      body: body === undefined ? undefined : new TextEncoder().encode(body),
      scheme: 'http',
      client: '127.0.0.1',
      receivedAt: at,
    })
  }
  return seen
}

async function record(calls: readonly Exchange[], hidesKeys = false) {
  const options = {
    hidesKeys,
    name: 'test',
    description: 'A test.',
    fixtures: shippedFixtures,
    secrets: createSecrets(),
  }
  const recording = await recordScenario(calls, options)
  const scenario = settle('recording', recording.file, shippedFixtures)
  const differing: unknown[] = []
  for await (const { step, differences, impossible } of play(
    recording.file.walkthrough ?? [],
    scenario.key,
    createInProcessTarget(scenario, shippedFixtures),
  ))
    if (impossible !== undefined || differences.length > 0) differing.push({ step, differences, impossible })
  return { ...recording, differing, text: recordingText(recording) }
}

const own: ScenarioFile = { keys: { [secret]: { plan: 'free' } } }
const used = (minute: number, more = {}): ScenarioFile => ({
  keys: { [secret]: { plan: 'free', used: { minute }, ...more } },
})
const rex = JSON.stringify({ name: 'Rex', categoryId: 1 })
const list: Sent = [0, 'GET /v1/pets']
const times = (count: number, sent: Sent) => Array.from({ length: count }, () => sent)

describe('traffic of an emulator passes when it is played', () => {
  it.each<[string, ScenarioFile, readonly Sent[]]>([
    [
      'lists, single pets and pages',
      own,
      [list, [900, 'GET /v1/pets/7'], [2_300, 'GET /v1/pets?status=sold&limit=3']],
    ],
    [
      'single pets, the later one first',
      own,
      [
        [0, 'GET /v1/pets/7'],
        [0, 'GET /v1/pets/3'],
      ],
    ],
    ['the end of a quota', used(57), [...times(5, list), [20_000, 'GET /v1/pets'], [40_000, 'GET /v1/pets']]],
    ['two windows', used(10, { used: { minute: 10, day: 995 } }), [...times(7, list)]],
    ['a ban', used(60, { strikes: 7 }), [...times(5, list), [300_000, 'GET /v1/pets']]],
    [
      'a ban from the start',
      { keys: { [secret]: { plan: 'pro', banned: '90s' } } },
      [list, [95_000, 'GET /v1/pets']],
    ],
    ['no bans', { ...used(60), bans: 'off' }, times(14, list)],
    [
      'calendar windows',
      { ...used(58), limits: { window: 'calendar' } },
      [list, list, list, [51_000, 'GET /v1/pets']],
    ],
    [
      'dates to wait for',
      { ...used(60), limits: { retryAfter: 'http-date' } },
      [list, [1_000, 'GET /v1/pets']],
    ],
    ['large pages', { ...own, pageSize: 'clamp' }, [[0, 'GET /v1/pets?limit=500']]],
    [
      'other pets',
      {
        ...own,
        pets: { count: 4, firstId: 5_000, gone: [5_002], add: [{ name: 'Ö', categoryId: 2n ** 60n }] },
      },
      [
        list,
        [0, 'GET /v1/pets/5002'],
        [0, 'GET /v1/pets/5004'],
        [0, 'POST /v1/pets', { body: rex }],
        [0, 'GET /v1/pets/5005'],
        list,
      ],
    ],
    [
      'no pets',
      { ...own, pets: { count: 0 } },
      [list, [0, 'GET /v1/pets/1'], [0, 'POST /v1/pets', { body: rex }], list],
    ],
    [
      'failures',
      {
        ...own,
        rules: [
          {
            match: { operation: 'createPet' },
            when: { first: 2 },
            then: { status: 503, headers: { 'Retry-After': 7 } },
          },
          { match: { operation: 'listPets' }, when: { every: 3 }, then: { status: 409, code: 'busy' } },
        ],
      },
      [...times(3, [0, 'POST /v1/pets', { body: rex }]), ...times(7, list)],
    ],
    [
      'refused calls',
      own,
      [
        [0, 'POST /v1/pets', { body: '{"name":1}' }],
        [0, 'POST /v1/pets', { body: 'no JSON' }],
        [0, 'GET /v1/pets', { key: null }],
        [0, 'GET /v1/pets', { key: 'wrong_key_000000001' }],
        [0, 'DELETE /v1/pets'],
        [0, 'GET /v1/none'],
        [0, 'HEAD /v1/pets'],
        [0, 'GET /v1/pets?limit=x'],
      ],
    ],
    ['orders', own, [[0, 'GET /v1/store/orders']]],
    ['preferences', own, [[0, 'GET /v1/pets', { headers: { prefer: 'code=503' } }], list]],
    [
      'two keys',
      { keys: { [secret]: { plan: 'free', used: { minute: 3 } }, other_key_12345678: { plan: 'business' } } },
      [list, [100, 'GET /v1/pets', { key: 'other_key_12345678' }], list],
    ],
    ['after the removal', { ...own, deprecation: { removedAt: '2025-01-01' } }, [[0, 'GET /v1/pets/1']]],
  ])('%s', async (_title, service, sent) => {
    const { differing, text } = await record(seenOf(service, sent))
    expect(differing, text).toEqual([])
    expect(text).not.toContain(secret)
  })
})

it('a client that follows pages and uses the pets that it creates', async () => {
  const seen = seenOf(own, [
    [0, 'POST /v1/pets', { body: rex }],
    [0, 'GET /v1/pets/101'],
    [0, 'GET /v1/pets?limit=2'],
  ])
  const cursor = /cursor=([^&>]+)/.exec(seen[2]?.reply.headers.Link ?? '')?.[1]
  const { file, text } = await record([
    ...seen,
    ...seenOf(own, [[5_000, `GET /v1/pets?limit=2&cursor=${cursor}`]]),
  ])
  expect(file.walkthrough?.filter(step => 'call' in step).map(({ call, save }) => [call, save])).toEqual([
    ['POST /v1/pets', { pet1: 'body.id' }],
    ['GET /v1/pets/${pet1}', undefined],
    ['GET /v1/pets?limit=2', { next1: 'next.cursor' }],
    ['GET /v1/pets?limit=2&cursor=${next1}', undefined],
  ])
  expect(text).not.toContain(String(cursor))
})

it('calls of the same kind become one step, and seconds between calls a move of the clock', async () => {
  const { file } = await record(seenOf(used(58), [list, list, list, list, [2_500, 'GET /v1/pets']]))
  expect(file.walkthrough).toEqual([
    { call: 'GET /v1/pets', repeat: 4, expect: expect.objectContaining({ statuses: { 200: 2, 429: 2 } }) },
    { advance: '2s' },
    { call: 'GET /v1/pets', expect: expect.objectContaining({ status: 429 }) },
  ])
})

it('calls of the same kind that were under way together become one parallel step', async () => {
  const seen = seenOf(own, [list, list, [0, 'GET /v1/pets/1']])
  const { file } = await record(
    seen.map(exchange => ({ ...answered(exchange, {}), answeredAt: exchange.call.receivedAt + 1 })),
  )
  expect(file.walkthrough).toEqual([
    { call: 'GET /v1/pets', parallel: 2, expect: { status: 200 } },
    { call: 'GET /v1/pets/1', expect: { status: 200, body: expect.anything() } },
  ])
})

describe('secrets', () => {
  it('keys, cookies, tokens and passwords are not in the file', async () => {
    const body = JSON.stringify({ name: `pet of ${secret}`, categoryId: 1, password: 'hunter2hunter2' })
    const { text, leftOut } = await record(
      seenOf(own, [
        [0, 'POST /v1/pets', { body, headers: { cookie: 'sid=cookie-value-1234567' } }],
        [0, `GET /v1/pets?access_token=tok_123456789&note=${secret}`],
        [0, `GET /v1/pets/${secret}`],
        [
          0,
          'GET /v1/pets',
          { headers: { 'x-api-key': 'another_secret_1', prefer: `code=503; key=${secret}` } },
        ],
      ]),
    )
    for (const hidden of [secret, 'hunter2', 'cookie-value', 'tok_123', 'another_secret'])
      expect(text).not.toContain(hidden)
    expect(text).toContain('pet of key-1')
    expect(leftOut).toEqual([
      { reason: 'the value of a secret parameter', count: 1, examples: ['access_token'] },
      { reason: 'a header that holds a secret', count: 1, examples: ['Prefer'] },
    ])
  })
})

it('names what it leaves out, with the control characters escaped', async () => {
  const [seen] = seenOf(own, [list])
  const { text, differing } = await record([
    answered(seen, {}),
    answered(seen, { body: '{}', headers: left('58') }, { target: '/v1/owners/1' }),
    answered(seen, { status: 304 }),
    answered(seen, { status: 0 }),
    { ...answered(seen, {}), cut: { call: 20_000, reply: undefined } },
    answered(seen, {}, { method: 'OPTIONS' }),
    answered(seen, {}, { target: '/v1/pets/\u001b[31m\nkeys: x' }),
  ])
  expect(differing).toEqual([])
  expect(text.split('title:')[0]).toBe(
    [
      '# Left out:',
      '# - 1 × a conditional request, which the emulator answers in full (GET /v1/pets)',
      '# - 1 × there is no complete answer (GET /v1/pets)',
      '# - 1 × the body of the call was not kept (GET /v1/pets)',
      '# - 1 × OPTIONS: browsers send it by themselves (OPTIONS /v1/pets)',
      '# - 1 × a walkthrough cannot write this request line (GET /v1/pets/\\x1b[31m\\x0akeys: x)',
      '# - 1 × the answer of an operation that the API does not have (GET /v1/owners/1)',
      '',
    ].join('\n'),
  )
})

it('a service that differs from the emulator gives steps that differ', async () => {
  const seen = seenOf(own, [list, list])
  const odd = seen.map((exchange, index) =>
    answered(
      exchange,
      { headers: left(`${59 - 2 * index}`) },
      { receivedAt: exchange.call.receivedAt + index * 1_000 },
    ),
  )
  const { differing } = await record(odd)
  expect(differing).toMatchObject([
    { differences: [{ what: 'X-RateLimit-Remaining', expected: '57', got: '58' }] },
  ])
})

it('takes the scenario that differs least, if all differ', async () => {
  // Windows that end with a minute may be those of the calendar, but a day that ends at nine minutes past seven is not.
  const seen = seenOf({ keys: { [secret]: { plan: 'free', used: { day: 990 } } } }, [
    [50_700, 'GET /v1/pets'],
    ...times(4, list),
  ])
  const { differing, file } = await record(
    seen.map((exchange, index) => (index < 4 ? exchange : answered(exchange, { headers: left('3') }))),
  )
  expect(differing).toHaveLength(1)
  expect(file).not.toHaveProperty('limits')
})

it('ids that are no row of numbers become new ones', async () => {
  const uuid = (n: number) => `3f2b0c1e-0000-4000-8000-00000000000${n}`
  const [seen] = seenOf(own, [list])
  const call = (method: string, target: string, status: number, json: unknown) => {
    const body = method === 'POST' ? new TextEncoder().encode(rex) : undefined
    const { reply, ...rest } = answered(seen, {}, { method, target, body })
    return { ...rest, reply: { status, headers: {}, body: JSON.stringify(json) } }
  }
  const pet = (n: number) => ({ id: uuid(n), name: `pet ${n}`, categoryId: 1 })
  const { differing, text, notes } = await record([
    call('GET', '/v1/pets', 200, [pet(1), pet(2)]),
    call('GET', `/v1/pets/${uuid(2)}`, 200, pet(2)),
    call('POST', '/v1/pets', 201, { ...JSON.parse(rex), id: uuid(3) }),
    call('GET', `/v1/pets/${uuid(3)}`, 200, { ...JSON.parse(rex), id: uuid(3) }),
  ])
  expect(differing, text).toEqual([])
  expect(notes).toEqual(['The ids of the pets are new, because theirs are no row of numbers.'])
  expect(text).not.toContain('3f2b0c1e')
})

it('changes that no recorded call made become steps', async () => {
  const [before] = seenOf({ ...own, pets: { count: 3 } }, [list])
  const [after] = seenOf({ ...own, pets: { count: 4, gone: [2] } }, [[1_000, 'GET /v1/pets']])
  const { differing, file } = await record([answered(before, {}), answered(after, { headers: left('58') })])
  expect(differing).toEqual([])
  expect(file.walkthrough?.filter(step => 'change' in step)).toMatchObject([
    { change: { do: 'deletePet', id: 2 } },
    { change: { do: 'addPet' } },
  ])
})

/** An exchange with another call or answer. Its headers come on top. */
function answered(
  seen: Exchange | undefined,
  reply: Partial<Exchange['reply']>,
  call: Partial<Exchange['call']> = {},
): Exchange {
  if (seen === undefined) throw new Error('no call')
  const headers = { ...seen.reply.headers, ...reply.headers }
  return { ...seen, call: { ...seen.call, ...call }, reply: { ...seen.reply, ...reply, headers } }
}

const left = (remaining: string) => ({ 'X-RateLimit-Remaining': remaining })

const stepsWith = (file: ScenarioFile, name: 'call' | 'change' | 'advance') =>
  file.walkthrough?.filter(step => name in step) ?? []

it('calls of an archive without keys have a key, unless it was refused', async () => {
  const seen = seenOf(own, [list, [0, 'GET /v1/pets', { key: null }]])
  const { differing, file } = await record(
    seen.map(exchange => answered(exchange, {}, { headers: [] })),
    true,
  )
  expect(differing).toEqual([])
  expect(file.key).toBe('key-1')
  expect(stepsWith(file, 'call').map(step => 'key' in step && step.key)).toEqual([false, null])
})

it('a file has only the settings that the recording shows', async () => {
  const { file } = await record(seenOf(own, [[0, 'GET /v1/pets?limit=100']]))
  for (const setting of ['rules', 'limits', 'pageSize', 'deprecation', 'clock'])
    expect(file).not.toHaveProperty(setting)
})

it('one date to wait for shows that all are dates', async () => {
  const service: ScenarioFile = { ...used(59), limits: { retryAfter: 'http-date' } }
  const { file } = await record(seenOf(service, [list, list]))
  expect(file.limits).toEqual({ retryAfter: 'http-date' })
})

it('an operation that was removed is removed as long after the start as in the recording', async () => {
  const service: ScenarioFile = { ...own, deprecation: { removedAt: '2025-01-01' } }
  const { file } = await record(seenOf(service, [list, [90_000, 'GET /v1/pets/1']]))
  const { file: at } = await record(seenOf(service, [[0, 'GET /v1/pets/1']]))
  const removedAt = ({ deprecation }: ScenarioFile) => Date.parse(`${deprecation?.removedAt}`)
  expect(removedAt(file) - removedAt(at)).toBe(90_000)
})

it('a step has the header Prefer, a malformed key, and the pet that the answer had', async () => {
  const { file } = await record(
    seenOf(own, [
      [0, 'GET /v1/pets', { headers: { prefer: 'code=503' } }],
      [0, 'GET /v1/pets', { key: '' }],
      [0, 'POST /v1/pets', { body: rex }],
    ]),
  )
  expect(stepsWith(file, 'call')).toMatchObject([
    { headers: { Prefer: 'code=503' }, expect: { status: 503 } },
    { key: null, headers: { Authorization: 'Bearer' }, expect: { status: 401 } },
    { expect: { status: 201, body: { name: 'Rex', categoryId: 1, status: null } } },
  ])
})

it.each<[id: string | number, isPet: boolean]>([
  [7, true],
  ['7', true],
  ['x'.repeat(200), true],
  ['x'.repeat(201), false],
  ['', false],
  [7.5, false],
])('an object with the id %j is a pet: %s', (id, isPet) => {
  expect(readSeenPet({ id, name: 'Rex', categoryId: 1 }) !== undefined).toBe(isPet)
})

it('a banned key whose plan no call shows is one of the smallest plan', async () => {
  const plans = { tiny: { minute: 7, day: 50 } }
  const { file } = await record(
    seenOf({ plans, keys: { [secret]: { plan: 'tiny', banned: '90s' } } }, [list]),
  )
  expect(file.keys).toEqual({ 'key-1': { plan: 'free', banned: '90s' } })
})

it('rejected requests with different words become one step', async () => {
  const wrong: Sent = [0, 'GET /v1/pets?limit=x']
  const [one, other] = seenOf(own, [wrong, wrong])
  const body = other?.reply.body?.replace(/"message":"[^"]*"/, '"message":"Other words."')
  expect(body).toContain('Other words.')
  const { file } = await record([answered(one, {}), answered(other, { body })])
  expect(stepsWith(file, 'call')).toMatchObject([{ call: 'GET /v1/pets?limit=x', repeat: 2 }])
})

it('a step of an operation that the API does not have says so', async () => {
  const [seen] = seenOf(own, [list])
  const { file } = await record([answered(seen, { body: '{}' }, { target: '/v1/owners/1' })])
  expect(stepsWith(file, 'call')).toMatchObject([
    { note: 'The API has no such operation. The call still counts.', call: 'GET /v1/owners/1' },
  ])
})

it('a key that is rejected and accepted again was changed in between', async () => {
  const [before] = seenOf(own, [list])
  const [rejected] = seenOf({ keys: { [secret]: { plan: 'free', revoked: true } } }, [list])
  const [after] = seenOf(used(1), [list])
  const { file } = await record([answered(before, {}), answered(rejected, {}), answered(after, {})])
  expect(stepsWith(file, 'change')).toEqual([
    { change: { do: 'changeKey', key: 'key-1', revoked: true } },
    { change: { do: 'changeKey', key: 'key-1', revoked: false } },
  ])
})

it('a pet that a filtered list no longer shows was deleted', async () => {
  const sold: Sent = [0, 'GET /v1/pets?status=sold']
  const pets = {
    count: 0,
    add: [1, 2, 3].map(id => ({ name: `pet ${id}`, categoryId: 1, status: 'sold' as const })),
  }
  const [before] = seenOf({ ...own, pets }, [sold])
  const [after] = seenOf({ ...used(1), pets: { ...pets, gone: [2] } }, [sold])
  const { file } = await record([answered(before, {}), answered(after, {})])
  expect(stepsWith(file, 'change')).toEqual([{ change: { do: 'deletePet', id: 2 } }])
})

it('a parameter that the emulator ignores is named', async () => {
  const [seen] = seenOf(own, [list])
  const { notes } = await record([answered(seen, {}, { target: '/v1/pets?page=2&limit=20' })])
  expect(notes).toEqual([
    'The emulator ignores page: its pages have a cursor (A15). So it answers these calls with the first page.',
  ])
})

describe('the times of an archive are those of the browser', () => {
  /** Calls that a browser began some time before the service answered them. */
  const early = (calls: readonly Exchange[], ms: readonly number[]) =>
    calls.map((exchange, index) =>
      answered(exchange, {}, { receivedAt: exchange.call.receivedAt - (ms[index] ?? 0) }),
    )
  const seen = () => seenOf(used(58), [list, list, list, [20_000, 'GET /v1/pets']])

  it.each<[number[]]>([[[500, 0, 0, 0]], [[0, 0, 0, 400]], [[900, 500, 400, 0]]])(
    'so the Date of the answers counts, if calls began %j ms before',
    async ms => {
      const { differing, file } = await record(early(seen(), ms))
      expect(differing).toEqual([])
      expect(stepsWith(file, 'advance')).toEqual([{ advance: '20s' }])
    },
  )

  it('a cached answer has an old Date, so that of the browser counts for all', async () => {
    const [first, ...others] = seen()
    const cached = answered(first, { headers: { Date: 'Tue, 06 May 2025 01:00:00 GMT', Age: '22089' } })
    const { file } = await record([cached, ...others])
    expect(stepsWith(file, 'advance')).toEqual([{ advance: '20s' }])
  })
})
