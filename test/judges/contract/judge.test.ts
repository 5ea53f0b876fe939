import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { Judge } from '../../../src/judges/contract/judge.ts'
import type { ExchangeTexts } from '../../../src/judges/contract/prism/exchange-texts.ts'
import { loadContract } from '../../../src/library/files/load-contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'contract-'))
afterAll(() => rmSync(folder, { recursive: true }))

const { judge, operations } = await judgeOf(undefined)

const limits = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': '1772442060' }
const json = { ...limits, 'content-type': 'application/json' }
const rex = '{"id":1,"name":"Rex","categoryId":1,"status":"sold"}'
const error = (status: number) => JSON.stringify({ code: 'some_code', message: 'Some words.', status })

/** A list that keeps the contract, but for what is said otherwise. */
function exchange(other: Partial<ExchangeTexts> = {}): ExchangeTexts {
  return {
    method: 'GET',
    target: '/pets',
    requestHeaders: { authorization: 'Bearer some-key' },
    requestBody: undefined,
    status: 200,
    headers: json,
    body: `[${rex}]`,
    ...other,
  }
}

async function told(other: Partial<ExchangeTexts>): Promise<readonly string[]> {
  return (await judge(exchange(other))).breaches.map(({ message }) => message)
}

const posted = {
  method: 'POST',
  requestHeaders: { authorization: 'Bearer k', 'content-type': 'application/json' },
  requestBody: '{"name":"Rex","categoryId":1}',
  status: 201,
  body: rex,
}

test('reads each value of a repeated parameter once', async () => {
  const names: string[] = []
  const getAll = vi.spyOn(URLSearchParams.prototype, 'getAll')
  await judge(exchange({ target: `/pets?${'a&'.repeat(500)}` }))
  for (const { value } of getAll.mock.results) names.push(...value)
  getAll.mockRestore()
  expect(names.length).toBeLessThanOrEqual(500)
})

test('knows the operations of the contract', () => {
  expect(operations.map(({ id, method, path, statuses }) => [id, method, path, statuses.join()])).toEqual([
    ['listPets', 'GET', '/pets', '200,400,401,429'],
    ['createPet', 'POST', '/pets', '201,400,401,429'],
    ['getPet', 'GET', '/pets/{petId}', '200,401,404,429'],
    ['listOrders', 'GET', '/store/orders', '200,401,429'],
  ])
})

describe('keeps the contract:', () => {
  test.each<[string, Partial<ExchangeTexts>]>([
    ['a list', {}],
    ['a scheme in lower case', { requestHeaders: { authorization: 'bearer some-key' } }],
    ['an empty list', { body: '[]' }],
    ['a pet without a status', { body: '[{"id":1,"name":"Rex","categoryId":1}]' }],
    ['a pet with a field more', { target: '/pets/1', body: rex.replace('}', ',"born":2020}') }],
    ['a pet that is made', posted],
    [
      'the largest int64',
      { target: '/pets/9223372036854775807', body: rex.replace('1', '9223372036854775807') },
    ],
    ['the smallest one', { body: `[${rex.replace('1', '-9223372036854775808')}]` }],
    ['a request of one', { ...posted, requestBody: '{"name":"Rex","categoryId":9007199254740993}' }],
    ['a refusal that is documented', { status: 401, body: error(401) }],
    ['one that no operation documents', { status: 503, body: error(503) }],
    [
      'one without the headers that a documented one has',
      { status: 404, body: error(404), headers: { 'content-type': 'application/json' } },
    ],
    ['one of a path that is not there', { target: '/owners', status: 404, body: error(404) }],
    ['a bad request that is refused', { target: '/pets?limit=500', status: 400, body: error(400) }],
    ['a request without a key that is refused', { requestHeaders: {}, status: 401, body: error(401) }],
    ['seconds to wait', { status: 429, body: error(429), headers: { ...json, 'retry-after': '12' } }],
    [
      'a date to wait for',
      { status: 429, body: error(429), headers: { ...json, 'retry-after': 'Mon, 02 Mar 2026 09:01:00 GMT' } },
    ],
    ['a request that breaks it and is redirected', { target: '/pets?limit=0', status: 302, body: '' }],
    [
      'another type of JSON where only the contract assumes the body',
      {
        target: '/store/orders',
        headers: { ...limits, 'content-type': 'application/vnd.orders+json' },
        body: '[]',
      },
    ],
    ['a charset', { headers: { ...json, 'content-type': 'application/json; charset=utf-8' } }],
    [
      'what is sent as no media type, and refused',
      {
        ...posted,
        requestHeaders: { authorization: 'Bearer k', 'content-type': ';' },
        status: 400,
        body: error(400),
      },
    ],
  ])('%s', async (_, other) => {
    expect(await told(other)).toEqual([])
  })
})

describe('breaks the contract:', () => {
  test.each<[string, Partial<ExchangeTexts>, string]>([
    [
      'a field of another type',
      { body: `[${rex.replace('1', '"1"')}]` },
      'Response body property 0.id must be integer',
    ],
    [
      'another type of JSON',
      { headers: { ...limits, 'content-type': 'application/vnd.pets+json' } },
      'Content-Type is application/vnd.pets+json, not application/json',
    ],
    [
      'another type of JSON for an Error',
      { status: 401, body: error(401), headers: { ...limits, 'content-type': 'application/problem+json' } },
      'Content-Type is application/problem+json, not application/json',
    ],
    ['a fraction', { body: `[${rex.replace('1', '1.5')}]` }, 'Response body property 0.id must be integer'],
    [
      'more than an int64',
      { body: `[${rex.replace('1', '9223372036854775808')}]` },
      'Response body property 0.id must be an int64: at most 9223372036854775807',
    ],
    [
      'less than one',
      { body: `[${rex.replace('1', '-9223372036854775809')}]` },
      'Response body property 0.id must be an int64: at least -9223372036854775808',
    ],
    [
      'a status that is none',
      { body: `[${rex.replace('sold', 'lost')}]` },
      'Response body property 0.status must be equal to one of the allowed values: available, pending, sold',
    ],
    [
      'a missing field',
      { target: '/pets/1', body: '{"id":1,"name":"Rex"}' },
      "Response body must have required property 'categoryId'",
    ],
    [
      'a bad request of a path that is not there, without a code',
      { target: '/owners', status: 400, body: '{"message":"Some words.","status":400}' },
      "Response body must have required property 'code'",
    ],
    ['an object in the place of a list', { body: '{"pets":[]}' }, 'Response body must be array'],
    [
      'a body that is not JSON',
      { body: '[{"id":1,' },
      'Response body is not JSON: the text ends inside an object',
    ],
    [
      'another media type',
      { headers: { ...json, 'content-type': 'text/html' } },
      'The received media type "text/html" does not match the one specified in the current response: application/json',
    ],
    [
      'no media type',
      { headers: limits },
      'The received media type "" does not match the one specified in the current response: application/json',
    ],
    [
      'a missing header',
      {
        headers: {
          'content-type': 'application/json',
          'x-ratelimit-remaining': '59',
          'x-ratelimit-reset': '1',
        },
      },
      "Response header must have required property 'x-ratelimit-limit'",
    ],
    [
      'a header of another type',
      { headers: { ...json, 'x-ratelimit-reset': 'soon' } },
      'Response header x-ratelimit-reset must be integer',
    ],
    [
      'no time to retry',
      { status: 429, body: error(429) },
      "Response header must have required property 'retry-after'",
    ],
    [
      'a success that is not documented',
      { status: 204, body: undefined },
      'Unable to match the returned status code with those defined in the document: 200,400,401,429',
    ],
    [
      'an error of another shape',
      { status: 503, body: '{"error":"down"}' },
      "Response body must have required property 'code'",
    ],
    [
      'an error that is a page',
      { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>Down</h1>' },
      'The received media type "text/html" does not match the one specified in the current response: application/json',
    ],
    [
      'a bad request that is accepted',
      { target: '/pets?limit=500' },
      'Request query parameter limit must be <= 100',
    ],
    [
      'a bad body that is accepted',
      { ...posted, requestBody: '{"name":1,"categoryId":1}' },
      'Request body property name must be string',
    ],
    ['a request without a key that is accepted', { requestHeaders: {} }, 'Invalid security scheme used'],
  ])('%s', async (_, other, message) => {
    expect(await told(other)).toContain(message)
  })
})

test('judges every int64 correctly, in a body and in a path', async () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  await fc.assert(
    fc.asyncProperty(int64, int64, async (id, category) => {
      const body = `{"id":${id},"name":"Rex","categoryId":${category}}`
      expect(await told({ target: `/pets/${id}`, body })).toEqual([])
    }),
  )
})

test.each<[text: string, message: string | undefined]>([
  ['9007199254740993', 'Request query parameter limit must be <= 100'],
  ['1000000000000000', 'Request query parameter limit must be <= 100'],
  ['-1000000000000000', 'Request query parameter limit must be >= 1'],
  ['-9007199254740993', 'Request query parameter limit must be >= 1'],
])('a number of many digits in a parameter keeps its sign: %s', async (text, message) => {
  expect(await told({ target: `/pets?limit=${text}` })).toEqual([message])
})

test('judges strange exchanges', async () => {
  const texts = fc.string({ unit: 'binary' })
  const headers = fc.dictionary(
    fc.constantFrom('content-type', 'authorization', 'content-length', 'x-ratelimit-limit', 'retry-after'),
    texts,
  )
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        method: fc.constantFrom('GET', 'POST', 'PUT', 'BREW'),
        target: fc.oneof(
          fc.constant('/pets'),
          fc.webUrl().map(url => new URL(url).pathname),
          texts.map(text => `/pets?limit=${encodeURIComponent(text)}`),
          texts.map(text => `/${text}`),
        ),
        requestHeaders: headers,
        requestBody: fc.option(fc.oneof(texts, fc.json()), { nil: undefined }),
        status: fc.integer({ min: 200, max: 599 }),
        headers,
        body: fc.option(fc.oneof(texts, fc.json()), { nil: undefined }),
      }),
      async strange => {
        expect(Array.isArray((await judge(strange)).breaches)).toBe(true)
      },
    ),
  )
})

describe("a user's contract", () => {
  test('is the one that judges', async () => {
    const file = write(
      'mine.yaml',
      `openapi: 3.0.3
info: { title: Mine, version: '1' }
paths:
  /owners:
    get:
      responses:
        '200': { description: All, content: { application/json: { schema: { type: array, items: { $ref: './owner.yaml' } } } } }
`,
    )
    write('owner.yaml', 'type: object\nrequired: [name]\n')
    const mine = await judgeOf(file)
    expect(mine.operations.map(({ id }) => id)).toEqual(['GET /owners'])
    const found = await mine.judge(exchange({ target: '/owners', body: '[{}]' }))
    expect(found.breaches.map(({ message }) => message)).toEqual([
      "Response body property 0 must have required property 'name'",
    ])
    expect((await mine.judge(exchange({ status: 500, body: 'x' }))).breaches).toEqual([])
  })

  test('reports an absent header that is a list only if it is required', async () => {
    const list = '{ schema: { type: array, items: { type: string } } }'
    const required = '{ required: true, schema: { type: array, items: { type: string } } }'
    const file = write(
      'lists.yaml',
      `openapi: 3.0.3
info: { title: Lists, version: '1' }
paths:
  /owners:
    get:
      responses:
        '200': { description: All, headers: { X-Optional: ${list}, X-Required: ${required} } }
`,
    )
    const lists = await judgeOf(file)
    const found = async (headers: Record<string, string>) =>
      (await lists.judge(exchange({ target: '/owners', headers }))).breaches.map(({ message }) => message)
    expect(await found({ 'x-required': 'a,b' })).toEqual([])
    expect(await found({ 'x-optional': 'a,b' })).toEqual([
      "Response header must have required property 'x-required'",
    ])
  })

  test.each([
    ['gone.yaml', undefined, /^there is no file .*gone\.yaml/],
    ['list.yaml', '- 1\n', /list\.yaml:1:1: expected an OpenAPI 3 description/],
    ['broken.yaml', 'openapi: [\n', /broken\.yaml:\d+:\d+: /],
    ['old.yaml', "swagger: '2.0'\n", /old\.yaml:1:\d+: swagger: this is Swagger 2\.0/],
    [
      'empty.yaml',
      'openapi: 3.1.0\ninfo: { title: t, version: v }\npaths: {}\n',
      /empty\.yaml:3:8: paths: expected at least one operation/,
    ],
    [
      'lost.yaml',
      "openapi: 3.1.0\npaths: { /a: { get: { responses: { '200': { $ref: './lost-part.yaml' } } } } }\n",
      /lost\.yaml:2:51: paths\..*\$ref: there is no file .*lost-part\.yaml/,
    ],
  ])('%s is complained of with its place', async (name, text, complaint) => {
    const path = text === undefined ? join(folder, name) : write(name, text)
    const loaded = await loadContract(path)
    expect(loaded).toMatchObject({ ok: false, complaints: [expect.stringMatching(complaint)] })
  })
})

async function judgeOf(path: string | undefined): Promise<Judge> {
  const loaded = await loadContract(path)
  if (!loaded.ok) throw new Error(loaded.complaints.join('\n'))
  return loaded.value
}

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
