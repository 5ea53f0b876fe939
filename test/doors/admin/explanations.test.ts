import { expect, test } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import type { Explanation } from '../../../src/judges/inspection/explain.ts'
import { openAdminServer, times } from '../../support/admin-server.ts'
import { allowAt } from '../../support/methods.ts'
import { scenarioOf } from '../../support/scenarios.ts'

const scenario: ScenarioFile = {
  keys: {
    tight: { plan: 'free', used: { minute: 58 } },
    gone: { plan: 'pro', revoked: true },
    old: { plan: 'pro', expires: '2026-03-02T11:00:00Z' },
  },
  rules: [
    { name: 'late', match: { path: '/v1/store/orders', key: 'demo-pro' }, then: { delay: '1ms' } },
    { name: 'down', match: { path: '/v1/store/orders', key: 'demo-pro' }, then: { status: 503 } },
    { name: 'cut', match: { path: '/v1/store/orders', key: 'demo-business' }, then: { fault: 'malformed' } },
    {
      name: 'lost',
      match: { method: 'POST', key: 'demo-business' },
      then: { fault: 'reset', direction: 'request' },
    },
    { name: 'late reset', match: { method: 'POST', key: 'demo-pro' }, then: { fault: 'reset' } },
  ],
}

interface Row {
  readonly call: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly gate: Explanation['gate']
  /** Parts of its sentences. */
  readonly says: readonly string[]
  readonly asked?: readonly (readonly [what: string, asked: string, expected: string])[]
  readonly ignored?: readonly (readonly [name: string, meant: string | null])[]
}

const json = { 'Content-Type': 'application/json' }

const rows: readonly Row[] = [
  {
    call: 'GET /v1/pets',
    gate: 'operation',
    says: [
      'GET /v1/pets returned 200.',
      'listPets answered it.',
      'the key demo-f… had 59 of 60 requests left for the minute and 999 of 1,000 for the day',
      'Request 1 opened the minute window at 2026-03-02T12:00:00Z; it resets at 2026-03-02T12:01:00Z.',
    ],
  },
  {
    call: 'GET /v1/pets?limit=500&status=avaliable&pagesize=3&staus=sold',
    gate: 'operation',
    says: [
      'returned 400 invalid_parameter',
      'The query parameter "staus" was ignored; did you mean "status"?',
    ],
    asked: [
      ['limit', '500', '100 (a whole number from 1 to 100)'],
      ['status', 'avaliable', 'available'],
    ],
    ignored: [
      ['pagesize', null],
      ['staus', 'status'],
    ],
  },
  {
    call: 'POST /v1/pets',
    headers: json,
    body: '{"name":3,"category_id":1,"status":"avail"}',
    gate: 'operation',
    says: ['createPet rejected it.'],
    asked: [
      ['name', 'the number 3', 'a string'],
      ['categoryId', '–', 'an integer'],
      ['status', 'the string "avail"', 'one of available, pending, sold'],
    ],
    ignored: [['category_id', 'categoryId']],
  },
  {
    call: 'POST /v1/pets',
    headers: json,
    body: '{"name":"Rex","categoryId":"7"}',
    gate: 'operation',
    says: ['400 invalid_body'],
    asked: [['categoryId', 'the string "7"', '7, without quotes']],
  },
  {
    call: 'POST /v1/pets',
    headers: { 'Content-Type': 'text/plain' },
    body: '{}',
    gate: 'operation',
    says: ['400 unsupported_media_type'],
    asked: [['Content-Type', 'text/plain', 'application/json']],
  },
  {
    call: 'POST /v1/pets',
    headers: json,
    body: '{"name":',
    gate: 'operation',
    says: ['400 invalid_json'],
    asked: [['body', expect.any(String) as unknown as string, 'JSON']],
  },
  {
    call: 'GET /v1/pets/999',
    gate: 'operation',
    says: ['getPet rejected it.', 'getPet is deprecated and will be removed on Thu, 05 Dec 2030'],
    asked: [['petId', '999', '100 (there is a pet)']],
  },
  { call: 'GET /v1/pets/-3', gate: 'operation', says: [], asked: [['petId', '-3', '1 (there is a pet)']] },
  {
    call: 'GET /v1/pet',
    gate: 'route',
    says: ['The API has no such path.'],
    asked: [['request', 'GET /v1/pet', 'GET /v1/pets']],
  },
  { call: 'GET /v1/pets/', gate: 'route', says: [], asked: [['request', 'GET /v1/pets/', 'GET /v1/pets']] },
  {
    call: 'GET /v1/Pets/7',
    gate: 'route',
    says: [],
    asked: [['request', 'GET /v1/Pets/7', 'GET /v1/pets/7']],
  },
  {
    call: 'GET /v1/order',
    gate: 'route',
    says: [],
    asked: [['path', '/v1/order', expect.stringContaining('one of /v1/pets') as unknown as string]],
  },
  {
    call: 'PUT /v1/pets',
    gate: 'route',
    says: ['but not with this method'],
    asked: [['request', 'PUT /v1/pets', `POST /v1/pets (of ${allowAt('/v1/pets')})`]],
  },
  {
    call: 'DELETE /v1/pets/3',
    gate: 'route',
    says: [],
    asked: [['request', 'DELETE /v1/pets/3', `GET /v1/pets/3 (of ${allowAt('/v1/pets/3')})`]],
  },
  {
    call: 'GET /pets/7',
    gate: 'api',
    says: ['no key was required and no quota was used'],
    asked: [['request', 'GET /pets/7', 'GET /v1/pets/7']],
  },
  {
    call: 'GET /api/v2/pets',
    gate: 'api',
    says: [],
    asked: [['request', 'GET /api/v2/pets', 'GET /v1/pets']],
  },
  {
    call: 'GET /v1/pets',
    key: '',
    gate: 'key',
    says: ['It has no API key', 'its address had', 'are counted by IP address'],
    asked: [['Authorization', '–', 'Bearer <API_KEY>']],
  },
  {
    call: 'GET /v1/pets',
    key: '',
    headers: { Authorization: 'Basic ZGVtbzpmcmVl' },
    gate: 'key',
    says: ['401 missing_api_key'],
    asked: [['Authorization', 'Basic ZGV…', 'Bearer <API_KEY>']],
  },
  {
    call: 'GET /v1/pets',
    key: '"demo-free"',
    gate: 'key',
    says: [
      'Its Authorization header is not exactly one bearer token. Send "Authorization: Bearer <API_KEY>" once.\n',
    ],
    asked: [['Authorization', 'Bearer "d…', 'Bearer <API_KEY>']],
  },
  { call: 'GET /v1/pets', key: 'who', gate: 'key', says: ['It was sent with an unknown key.'] },
  {
    call: 'GET /v1/pets',
    key: 'gone',
    gate: 'key',
    says: [
      'It was sent with a revoked key.',
      'After it, its address had 59 of 60 requests left for the minute',
    ],
  },
  {
    call: 'GET /v1/pets',
    key: 'old',
    gate: 'key',
    says: ['a key that expired at 2026-03-02T11:00:00Z', 'After it, its address had 59 of 60 requests'],
  },
  { call: 'OPTIONS /v1/pets', gate: 'preflight', says: ['needs no key and uses no quota'] },
  {
    call: 'GET /v1/store/orders',
    key: 'demo-pro',
    gate: 'rule',
    says: [
      'The rule "down" injected this response.',
      'The rules "late", "down" delayed the response by 1 ms.',
    ],
  },
  {
    call: 'GET /v1/store/orders',
    key: 'demo-business',
    gate: 'operation',
    says: ['The rule "cut" broke the response: malformed.', 'listOrders is marked experimental'],
  },
  {
    call: 'POST /v1/pets',
    key: 'demo-business',
    gate: 'rule',
    says: [
      'POST /v1/pets got no response.',
      'The rule "lost" acted on the request (reset): the request was lost, and nothing was carried out.',
    ],
  },
  {
    call: 'POST /v1/pets',
    key: 'demo-pro',
    headers: json,
    body: '{"name":"Rex","categoryId":1}',
    gate: 'operation',
    says: ['POST /v1/pets returned 201.', 'The rule "late reset" broke the response: reset.'],
  },
  {
    call: 'GET /v1/pets',
    headers: { Prefer: 'code=503' },
    gate: 'prefer',
    says: ['asked for this response with its Prefer header'],
  },
  {
    call: 'GET /v1/pets',
    headers: { Prefer: 'code=99, delay=1s, dynamic=true, delay=2' },
    gate: 'operation',
    says: [
      'Prefer: code=99 was not met: code must be a status from 400 to 599.',
      'Prefer: delay=1s was not met: delay must be milliseconds, as a whole number up to 600000.',
      'Prefer: dynamic=true was not met: pet-mock has no such preference.',
      'Prefer: delay=2 was not met: delay was given before.',
    ],
  },
  {
    call: 'POST /v1/pets',
    headers: { Prefer: 'code=201', 'Content-Type': 'application/json' },
    body: '{}',
    gate: 'operation',
    says: [
      'Prefer: code=201 was not met: only a status from 400 to 599 can be asked for, and this call got 400.',
    ],
  },
  {
    call: 'GET /v1/pets/1',
    headers: { Prefer: 'example=empty' },
    gate: 'operation',
    says: ['Prefer: example=empty was not met: the examples of getPet are pet, withoutStatus,'],
  },
  {
    call: 'GET /v1/pets',
    headers: { Prefer: 'example=empty' },
    gate: 'prefer',
    says: ['The call asked for this response with its Prefer header.'],
  },
  {
    call: 'GET /v1/pets',
    key: '',
    headers: { Prefer: 'code=404' },
    gate: 'key',
    says: ['Prefer: code=404 was not met: another check came first.'],
  },
]

test.for(rows)(
  '$call by $gate: $says',
  async ({ call, key = 'demo-free', headers, body, gate, says, asked, ignored }) => {
    const server = await openAdminServer(scenario)
    const [method = '', target = ''] = call.split(' ')
    const authorization = key === '' ? {} : { Authorization: `Bearer ${key}` }
    await fetch(server.origin + target, {
      method,
      headers: { ...authorization, ...headers },
      ...(body !== undefined && { body }),
    }).catch(() => 'lost')
    const { json } = await server.ask('/requests/1')
    const explanation: Explanation = json.explanation
    expect(explanation.gate).toBe(gate)
    for (const part of says) expect(explanation.sentences.join('\n')).toContain(part)
    for (const sentence of explanation.sentences) expect(sentence).toMatch(/^[A-Za-z].*[.?]$/)
    if (asked !== undefined) {
      expect(explanation.mismatches.map(({ what, asked, expected }) => [what, asked, expected])).toEqual(
        asked,
      )
    }
    expect(explanation.ignored.map(({ name, meant }) => [name, meant])).toEqual(ignored ?? [])
  },
)

test('refused calls that count', async () => {
  const { call, ask } = await openAdminServer({ ...scenario, limits: { countRefused: true } })
  await times(4, () => call('/v1/pets', 'tight'))
  const { explanation } = (await ask('/requests/4')).json
  expect(explanation.sentences[1]).toBe(
    'The key may make 60 calls a minute (plan free), and had made 62. Refused calls count, too.',
  )
})

test('over the limit, banned, and still banned: the window, the call that opened it, the strike', async () => {
  const { call, ask, emulator } = await openAdminServer(scenario)
  await times(13, () => call('/v1/pets', 'tight'))
  const explained = async (id: number) => (await ask(`/requests/${id}`)).json
  const third = await explained(3)
  expect(third).toMatchObject({
    gate: 'limit',
    refused: true,
    limit: {
      accepted: false,
      reported: 'minute',
      minute: { limit: 60, used: 60, remaining: 0, openedBy: 1 },
    },
    explanation: { strikes: { count: 1, after: 10, bannedUntil: null, bannedBy: null } },
  })
  expect(third.explanation.sentences).toEqual([
    'GET /v1/pets returned 429 rate_limit_exceeded.',
    'The key may make 60 calls a minute (plan free), and had made 60. The refused call used no quota.',
    'It is refused call number 1 since the last accepted one. Number 10 bans the key.',
    'After it, the key tig… had 0 of 60 requests left for the minute and 940 of 1,000 for the day.',
    'Request 1 opened the minute window at 2026-03-02T12:00:00Z; it resets at 2026-03-02T12:01:00Z.',
    'Request 1 opened the day window at 2026-03-02T12:00:00Z; it resets at 2026-03-03T12:00:00Z.',
  ])
  const bans = await explained(12)
  expect(bans.explanation.strikes).toEqual({
    count: 10,
    after: 10,
    bannedUntil: '2026-03-02T12:05:00Z',
    bannedBy: 12,
  })
  expect(bans.explanation.sentences[2]).toBe(
    'It is refused call number 10 since the last accepted one, which bans the key until 2026-03-02T12:05:00Z.',
  )
  const banned = await explained(13)
  expect(banned).toMatchObject({ gate: 'ban', explanation: { strikes: { bannedBy: 12 } } })
  expect(banned.explanation.sentences[1]).toBe(
    'The key tig… was banned until 2026-03-02T12:05:00Z, because of request 12. The call used no quota.',
  )
  await ask('/keys/tight/ban', { for: '1h' }, 'POST')
  await call('/v1/pets', 'tight')
  const byHand = await explained(14)
  expect(byHand.explanation.strikes).toMatchObject({ bannedBy: null })
  expect(byHand.explanation.sentences[1]).toBe(
    'The key tig… was banned until 2026-03-02T13:00:00Z by hand. The call used no quota.',
  )
  // Later changes to the clock and the pets do not change an explanation.
  const world = emulator.sandboxes.default
  world.clock = { ...world.clock, at: Date.UTC(2030, 11, 6) }
  world.pets.delete(100)
  expect(await explained(13)).toEqual(banned)
})

test.each<[form: string, sent: string]>([
  ['absent', 'no Retry-After.'],
  ['zero', 'the line "Retry-After: 0".'],
  ['negative', 'the line "Retry-After: -60".'],
  ['decimal', 'the line "Retry-After: 60.5".'],
  ['huge', 'the line "Retry-After: 99999999999".'],
  ['iso-date', 'the line "Retry-After: 2026-03-02T12:01:00Z".'],
  ['garbage', 'the line "Retry-After: soon".'],
  ['twice', 'two lines "Retry-After: 60".'],
])('a refusal whose Retry-After has the hostile form %s names it', async (form, sent) => {
  const limits = { retryAfter: form as 'zero' }
  const { call, ask } = await openAdminServer({
    limits,
    bans: { after: 2 },
    keys: { full: { plan: 'free', used: { minute: 60 } } },
  })
  await times(2, () => call('/v1/pets', 'full'))
  const { json } = await ask('/requests/1')
  const said = `The scenario sets limits.retryAfter to the hostile form ${form}, so the response had ${sent}`
  expect(json.explanation.sentences).toContain(said)
  const ban = (await ask('/requests/2')).json
  expect(ban).toMatchObject({ code: 'api_key_banned' })
  expect(ban.explanation.sentences.join(' ')).toContain(`to the hostile form ${form}, so`)
})

test.each(['seconds', 'http-date', 'rfc850-date', 'asctime-date'] as const)(
  'a refusal whose Retry-After has the lawful form %s says nothing of it',
  async retryAfter => {
    const { call, ask } = await openAdminServer({
      limits: { retryAfter },
      keys: { full: { plan: 'free', used: { minute: 60 } } },
    })
    await call('/v1/pets', 'full')
    expect((await ask('/requests/1')).json.explanation.sentences.join(' ')).not.toContain('hostile')
  },
)

test('another client of the same key (sharedUse) is named with its calls', async () => {
  const { call, ask } = await openAdminServer({
    keys: { ours: { plan: 'free', sharedUse: { perMinute: 30 } } },
  })
  await call('/v1/pets', 'ours')
  await ask('/clock/advance', { by: '10s' }, 'POST')
  await call('/v1/pets', 'ours')
  const sentences = async (id: number) => (await ask(`/requests/${id}`)).json.explanation.sentences.join(' ')
  expect(await sentences(1)).not.toContain('sharedUse')
  expect(await sentences(2)).toContain(
    'Another client uses this key too (sharedUse): 5 of the calls in the minute and 5 of those in the day are its.',
  )
})

test('once its operation is removed', async () => {
  const { call, ask } = await openAdminServer({
    ...scenario,
    clock: { at: '2030-12-05T00:00:00Z', frozen: true },
  })
  await call('/v1/pets/5')
  expect((await ask('/requests/1')).json.explanation).toMatchObject({
    gate: 'route',
    mismatches: [{ asked: 'GET /v1/pets/5', expected: 'GET /v1/pets?status=available (its replacement)' }],
  })
})

test('another Host: nothing else is checked', async () => {
  const { ask, emulator } = await openAdminServer()
  emulator.handle({
    method: 'GET',
    target: '/v1/pets',
    headers: ['Host', 'evil.example', 'Authorization', 'Bearer demo-free'],
    body: undefined,
    scheme: 'http',
    client: '127.0.0.1',
    receivedAt: Date.now(),
  })
  expect((await ask('/requests/1')).json.explanation).toMatchObject({
    gate: 'host',
    mismatches: [{ what: 'Host', asked: 'evil.example' }],
  })
})

test('where bans were switched off, a key that was banned is not', async () => {
  const { ask, call, emulator } = await openAdminServer()
  await ask('/keys/demo-free/ban', { for: '10s' })
  await call('/v1/pets')
  const bansAt = async () => {
    const { keys } = (await ask('/keys')).json
    const key = keys.find(({ key }: { key: string }) => key === 'demo-free')
    const { reset } = (await ask('/clock/moments')).json
    const { requests } = (await ask('/requests')).json
    const { explanation } = (await ask(`/requests/${requests.at(-1).id}`)).json
    return [key.bannedUntil, reset, explanation.strikes?.bannedUntil]
  }
  const end = '2026-03-02T12:00:10Z'
  expect(await bansAt()).toEqual([end, end, end])
  emulator.sandboxes.adopt(scenarioOf({ bans: 'off' }), Date.now())
  expect((await call('/v1/pets')).status).toBe(200)
  expect(await bansAt()).toEqual([null, '2026-03-02T12:01:00Z', undefined])
})
