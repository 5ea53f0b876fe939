import { expect, test } from 'vitest'
import { describeDoors, type TestRequest } from '../support/doors.ts'
import { expectProblem, readLimits } from '../support/expectations.ts'
import { scenarioOf } from '../support/scenarios.ts'

const json = [['Content-Type', 'application/json']] as const
const post = (body: TestRequest['body'], headers: TestRequest['headers'] = json): TestRequest =>
  typeof body === 'string' || body instanceof Uint8Array
    ? { method: 'POST', target: '/v1/pets', body, headers }
    : { method: 'POST', target: '/v1/pets', ...(body && { body }) }

const fraction = (number: string): [string, TestRequest, string, string[]] => [
  `categoryId ${number}`,
  post(`{"name":"Rex","categoryId":${number}}`),
  'invalid_body',
  ['categoryId must be an integer, not a fraction'],
]

describeDoors('POST /v1/pets', open => {
  test('201 with Location and the pet with its id; then it is found', async () => {
    const { send } = await open()
    const reply = await send(post({ name: 'Rex', categoryId: 3, status: 'pending' }))
    expect([reply.status, reply.headers.location]).toEqual([201, '/v1/pets/101'])
    expect(reply.text).toBe('{"id":101,"name":"Rex","categoryId":3,"status":"pending"}')
    expect((await send({ target: '/v1/pets/101' })).text).toBe(reply.text)
    expect(readLimits(reply)).toMatchObject({ limit: 60, remaining: 59 })
  })

  test.each([
    ['a category beyond 2^53', '{"name":"Rex","categoryId":9223372036854775807}', '9223372036854775807'],
    ['the least int64', '{"name":"Rex","categoryId":-9223372036854775808}', '-9223372036854775808'],
    ['2^53 + 1', '{"name":"Rex","categoryId":9007199254740993}', '9007199254740993'],
    ['1.0, which is an integer in JSON', '{"name":"Rex","categoryId":1.0}', '1'],
    ['1e2', '{"name":"Rex","categoryId":1e2}', '100'],
    ['minus zero', '{"name":"Rex","categoryId":-0}', '0'],
  ])('%s: the same digits come back', async (_, body, digits) => {
    const { send } = await open()
    const text = `{"id":101,"name":"Rex","categoryId":${digits}}`
    expect((await send(post(body))).text).toBe(text)
    expect((await send({ target: '/v1/pets/101' })).text).toBe(text)
    expect((await send({ target: '/v1/pets?limit=100&cursor=YWZ0ZXI6MTAw' })).text).toBe(`[${text}]`)
  })

  test.each([
    ['an empty name is a name', '{"name":"","categoryId":1}', '{"id":101,"name":"","categoryId":1}'],
    [
      'unknown fields are ignored',
      '{"id":7,"name":"Rex","x":[{}],"categoryId":1}',
      '{"id":101,"name":"Rex","categoryId":1}',
    ],
    [
      'a repeated name: the last wins',
      '{"name":"A","name":"B","categoryId":1}',
      '{"id":101,"name":"B","categoryId":1}',
    ],
    [
      '__proto__ is an unknown field',
      '{"__proto__":{"status":"sold"},"name":"Rex","categoryId":1}',
      '{"id":101,"name":"Rex","categoryId":1}',
    ],
    [
      'a missing status stays missing',
      '{"name":"Rex","categoryId":1}',
      '{"id":101,"name":"Rex","categoryId":1}',
    ],
    [
      'any characters',
      '{"name":"\\u0000Zoë \\"🐕\\" \\ud800","categoryId":1}',
      '{"id":101,"name":"\\u0000Zoë \\"🐕\\" \\ud800","categoryId":1}',
    ],
    [
      'a byte order mark is ignored',
      '\ufeff{"name":"Rex","categoryId":1}',
      '{"id":101,"name":"Rex","categoryId":1}',
    ],
  ])('%s', async (_, body, text) => {
    const { send } = await open()
    const reply = await send(post(body))
    expect([reply.status, reply.text]).toEqual([201, text])
    expect(reply.headers['content-length']).toBe(`${Buffer.byteLength(text)}`)
  })

  test('a pet without a status is listed, but by no status filter', async () => {
    const { send } = await open({ scenario: scenarioOf({ pets: { count: 0 } }) })
    await send(post({ name: 'Rex', categoryId: 1 }))
    expect((await send()).text).toBe('[{"id":1,"name":"Rex","categoryId":1}]')
    for (const status of ['available', 'pending', 'sold']) {
      expect((await send({ target: `/v1/pets?status=${status}` })).text).toBe('[]')
    }
  })

  test('pets.defaultStatus is what a pet without a status gets', async () => {
    const { send } = await open({ scenario: scenarioOf({ pets: { defaultStatus: 'available' } }) })
    expect((await send(post({ name: 'Rex', categoryId: 1 }))).text).toContain('"status":"available"')
  })

  const refused: [string, TestRequest, string, string[]][] = [
    ['no name', post({ categoryId: 1 }), 'invalid_body', ['name is required']],
    ['no categoryId', post({ name: 'Rex' }), 'invalid_body', ['categoryId is required']],
    ['nothing', post({}), 'invalid_body', ['name is required', 'categoryId is required']],
    [
      'wrong types',
      post({ name: 1, categoryId: 'x', status: 2 }),
      'invalid_body',
      [
        'name must be a string, not the number 1',
        'categoryId must be an integer, not the string "x"',
        'status must be one of',
      ],
    ],
    [
      'nulls',
      post({ name: null, categoryId: null, status: null }),
      'invalid_body',
      [
        'name must be a string, not null',
        'categoryId must be an integer, not null',
        'status must be one of available, pending, sold, not null',
      ],
    ],
    [
      'categoryId 1.5',
      post({ name: 'Rex', categoryId: 1.5 }),
      'invalid_body',
      ['categoryId must be an integer, not 1.5'],
    ],
    ...['4503599627370497.25', '9007199254740991.4', '1.00000000000000000001', '1e-400'].map(fraction),
    ...['9007199254740992.5', '9223372036854775807.5'].map(fraction),
    [
      'numbers and strings of a megabyte',
      post(`{"name":${'9'.repeat(500_000)},"categoryId":"${'9'.repeat(500_000)}","status":1e999}`),
      'invalid_body',
      [
        'name must be a string, not a number',
        `categoryId must be an integer, not the string "${'9'.repeat(79)}…"`,
      ],
    ],
    [
      'a categoryId of a million digits',
      post(`{"name":"Rex","categoryId":${'9'.repeat(1_000_000)}}`),
      'invalid_body',
      ['categoryId must fit into 64 bits'],
    ],
    [
      'categoryId beyond int64',
      post('{"name":"Rex","categoryId":9223372036854775808}'),
      'invalid_body',
      ['categoryId must fit into 64 bits'],
    ],
    [
      'categoryId far beyond int64',
      post('{"name":"Rex","categoryId":1e999999999}'),
      'invalid_body',
      ['categoryId must fit into 64 bits'],
    ],
    [
      'an unknown status',
      post({ name: 'Rex', categoryId: 1, status: 'Sold' }),
      'invalid_body',
      ['status must be one of available, pending, sold, not the string "Sold"'],
    ],
    ['an array', post([]), 'invalid_body', ['must be a JSON object, not an array']],
    ['a string', post('"x"'), 'invalid_body', ['must be a JSON object, not the string "x"']],
    ['null', post('null'), 'invalid_body', ['must be a JSON object, not null']],
    ['no body', { method: 'POST', headers: json }, 'invalid_body', ['no body']],
    ['an empty body', post(''), 'invalid_body', ['no body']],
    ['not JSON', post('{"name":'), 'invalid_json', ['not valid JSON']],
    ['a trailing comma', post('{"name":"Rex",}'), 'invalid_json', ['not valid JSON']],
    ['bad UTF-8', post(Uint8Array.of(0x22, 0xff, 0x22)), 'invalid_json', ['not valid UTF-8']],
    ['65 levels', post(`${'['.repeat(65)}${']'.repeat(65)}`), 'invalid_json', ['64 levels']],
    ['200 000 levels', post('['.repeat(200_000)), 'invalid_json', ['64 levels']],
  ]
  test.each(refused)(
    '%s: 400 that names each problem; nothing is stored, no id is used up',
    async (_, request, code, parts) => {
      const { send } = await open()
      const message = expectProblem(await send(request), 400, code as 'invalid_body')
      for (const part of parts) expect(message).toContain(part)
      expect(message.length).toBeLessThan(400)
      expect((await send({ target: '/v1/pets/101' })).status).toBe(404)
      expect((await send(post({ name: 'Rex', categoryId: 1 }))).headers.location).toBe('/v1/pets/101')
    },
  )

  test.each([
    ['application/json', true],
    ['Application/JSON', true],
    ['application/json; charset=utf-8', true],
    ['application/json;charset="UTF-8"', true],
    ['application/json; charset=utf-8; v=1', true],
    ['application/json; charset=latin1', false],
    ['application/jsonp', false],
    ['application/problem+json', false],
    ['text/plain', false],
    ['application/x-www-form-urlencoded', false],
    ['', false],
  ])('Content-Type %s: read: %s', async (type, isRead) => {
    const { send } = await open()
    const reply = await send(post('{"name":"Rex","categoryId":1}', [['Content-Type', type]]))
    if (isRead) expect(reply.status).toBe(201)
    else expectProblem(reply, 400, 'unsupported_media_type')
  })

  test.each([
    ['missing', []],
    ['given twice', [...json, ...json]],
    ['of a compressed body', [...json, ['Content-Encoding', 'gzip'] as const]],
  ])('Content-Type %s: 400', async (_, headers) => {
    const { send } = await open()
    expectProblem(await send(post('{"name":"Rex","categoryId":1}', headers)), 400, 'unsupported_media_type')
  })

  test('a long Content-Type is not said again whole', async () => {
    const { send } = await open()
    const headers = [['Content-Type', `text/${'x'.repeat(9_000)}`]] as const
    const message = expectProblem(await send(post('{}', headers)), 400, 'unsupported_media_type')
    expect(message.length).toBeLessThan(200)
  })

  test('Accept is ignored, and Content-Encoding: identity is none', async () => {
    const { send } = await open()
    const headers = [...json, ['Accept', 'text/html'], ['Content-Encoding', 'Identity']] as const
    expect((await send(post('{"name":"Rex","categoryId":1}', headers))).status).toBe(201)
  })

  test('exactly 1 MiB is read, one byte more is 413', async () => {
    const { send } = await open()
    const frame = '{"name":"","categoryId":1}'
    const name = 'x'.repeat(1_048_576 - frame.length)
    expect((await send(post({ name, categoryId: 1 }))).status).toBe(201)
    const reply = await send(post({ name: `${name}x`, categoryId: 1 }))
    expectProblem(reply, 413, 'body_too_large')
    expect(readLimits(reply).remaining).toBe(58)
    expect((await send({ target: '/v1/pets/102' })).status).toBe(404)
  })
})
