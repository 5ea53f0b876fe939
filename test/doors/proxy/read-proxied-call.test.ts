import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { ProxiedCall } from '../../../src/doors/proxy/call-record.ts'
import { createProxiedCallReader } from '../../../src/doors/proxy/read-proxied-call.ts'
import { noon } from '../../support/scenarios.ts'

interface ProxiedFields {
  readonly line?: string
  readonly key?: string | null
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly requestHeaders?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly kept?: boolean
  readonly at?: number
}

function proxied({
  line = 'GET /v1/pets',
  key = 'demo-free',
  status = 200,
  headers = {},
  requestHeaders = {},
  body = '[]',
  kept = true,
  at = noon,
}: ProxiedFields): ProxiedCall {
  const [method = '', target = ''] = line.split(' ')
  const bytes = Buffer.from(body)
  const shown = key === null ? {} : { Authorization: `Bearer ${key}` }
  return {
    call: {
      method,
      target,
      headers: Object.entries({ ...shown, ...requestHeaders }).flat(),
      scheme: 'http',
      client: '127.0.0.1',
      connection: { opened: 0 },
      receivedAt: at,
    },
    requestBody: { bytes: Buffer.alloc(0), size: 0 },
    answer: {
      status,
      headers: Object.entries(headers).flat(),
      body: { bytes: kept ? bytes : undefined, size: bytes.length },
      fault: undefined,
      failure: undefined,
    },
    answeredAt: at + 5,
  }
}

const error = (code: string, status: number) => ({
  status,
  body: JSON.stringify({ code, message: 'No.', status }),
})

describe('the gate', () => {
  test.each<[about: string, fields: ProxiedFields, trace: object]>([
    [
      'an operation',
      {},
      { gate: 'operation', operation: 'listPets', code: undefined, key: 'demo-free', synthetic: false },
    ],
    ['an operation with what it was asked for', { line: 'GET /v1/pets/7?x=y' }, { operation: 'getPet' }],
    [
      'an operation that could not do it',
      { line: 'POST /v1/pets', ...error('invalid_body', 400) },
      { gate: 'operation', operation: 'createPet', code: 'invalid_body' },
    ],
    [
      'the key, which is none then',
      error('invalid_api_key', 401),
      { gate: 'key', key: undefined, code: 'invalid_api_key' },
    ],
    [
      'the limit',
      error('rate_limit_exceeded', 429),
      { gate: 'limit', code: 'rate_limit_exceeded', strikes: 1 },
    ],
    ['the limit, by whatever name', error('SLOW_DOWN', 429), { gate: 'limit', code: 'rate_limit_exceeded' }],
    ['the limit, without a word', { status: 429, body: '' }, { gate: 'limit', code: 'rate_limit_exceeded' }],
    ['a ban', error('api_key_banned', 429), { gate: 'limit', code: 'api_key_banned' }],
    ['a ban by another status', error('api_key_banned', 403), { gate: 'limit', code: 'api_key_banned' }],
    [
      'a rule of an emulator behind it',
      { ...error('injected_fault', 503), headers: { 'x-pet-mock': 'outage' } },
      { synthetic: true, rules: ['outage'] },
    ],
    [
      'an emulator behind it that met no preference',
      { ...error('pet_not_found', 404), headers: { 'x-pet-mock': 'prefer unmet: wait=1' } },
      { synthetic: false, rules: undefined },
    ],
    [
      'a removal',
      { line: 'GET /v1/pets/1', ...error('endpoint_removed', 404) },
      { gate: 'route', operation: undefined },
    ],
    ['nothing of the API', { line: 'GET /health' }, { gate: 'api', operation: undefined }],
    [
      'a question of a browser',
      { line: 'OPTIONS /v1/pets', requestHeaders: { 'Access-Control-Request-Method': 'GET' } },
      { gate: 'preflight' },
    ],
    [
      'an error that is no JSON',
      { status: 500, body: '<h1>Oops</h1>' },
      { gate: 'operation', code: undefined },
    ],
    ['an error whose code is none', { status: 500, body: '{"code":7}' }, { code: undefined }],
  ])('%s', (_, fields, trace) => {
    expect(createProxiedCallReader('/v1')(proxied(fields)).trace).toMatchObject(trace)
  })

  test('below another base path', () => {
    const read = createProxiedCallReader('/api/v2')
    expect(read(proxied({ line: 'GET /api/v2/pets' })).trace).toMatchObject({
      gate: 'operation',
      operation: 'listPets',
    })
    expect(read(proxied({})).trace).toMatchObject({ gate: 'api' })
  })
})

test('the first ban is the ban: later ones are calls during it, until one is accepted', () => {
  const read = createProxiedCallReader('/v1')
  const gates = [
    error('rate_limit_exceeded', 429),
    error('api_key_banned', 429),
    error('api_key_banned', 429),
    {},
    error('api_key_banned', 429),
  ]
  const traces = gates.map(fields => read(proxied(fields)).trace)
  expect(traces.map(({ gate, strikes }) => [gate, strikes])).toEqual([
    ['limit', 1],
    ['limit', 2],
    ['ban', 3],
    ['operation', 0],
    ['limit', 1],
  ])
})

describe('limits, as far as the headers show them', () => {
  const limits = (limit: number, remaining: number, seconds: number) => ({
    headers: {
      'x-ratelimit-limit': `${limit}`,
      'x-ratelimit-remaining': `${remaining}`,
      'X-RateLimit-Reset': `${Math.floor(noon / 1_000) + seconds}`,
    },
  })
  test.each<[about: string, fields: ProxiedFields, plan: string | undefined, limit: object | undefined]>([
    [
      'a minute',
      limits(60, 12, 30),
      'free',
      {
        accepted: true,
        reported: 'minute',
        minute: { used: 48, limit: 60, endsAt: Math.floor(noon / 1_000) * 1_000 + 30_000 },
        day: { used: 1, limit: 1_000 },
      },
    ],
    [
      'a day',
      limits(10_000, 4, 7_200),
      'pro',
      { reported: 'day', day: { used: 9_996, limit: 10_000 }, minute: { used: 1, limit: 300 } },
    ],
    [
      'the minute of one plan, which is the day of another',
      limits(1_000, 900, 40),
      'business',
      { reported: 'minute', minute: { used: 100 } },
    ],
    [
      'the day of one plan, which is the minute of another',
      limits(1_000, 900, 40_000),
      'free',
      { reported: 'day', day: { used: 100 } },
    ],
    [
      'a Reset in the past, with a right Remaining',
      limits(60, 12, -40),
      'free',
      { reported: 'minute', minute: { used: 48, endsAt: Math.floor(noon / 1_000) * 1_000 + 60_000 } },
    ],
    [
      'a Reset in milliseconds, with a right Remaining',
      limits(60, 12, 1e9),
      'free',
      { reported: 'minute', minute: { used: 48, endsAt: Math.floor(noon / 1_000) * 1_000 + 60_000 } },
    ],
    [
      'a refusal',
      { ...error('x', 429), ...limits(60, 0, 30) },
      'free',
      { accepted: false, minute: { used: 60 }, day: { used: 0 } },
    ],
    ['a limit of no plan', limits(42, 12, 30), undefined, undefined],
    [
      'a limit that is no number',
      { headers: { 'X-RateLimit-Limit': 'many', 'X-RateLimit-Remaining': '1', 'X-RateLimit-Reset': '1' } },
      undefined,
      undefined,
    ],
    ['none', {}, undefined, undefined],
  ])('%s', (_, fields, plan, limit) => {
    const { trace } = createProxiedCallReader('/v1')(proxied(fields))
    expect(trace.plan).toBe(plan)
    if (limit === undefined) expect(trace.limit).toBeUndefined()
    else expect(trace.limit).toMatchObject(limit)
  })
})

describe('bodies', () => {
  const text = JSON.stringify([{ id: 1, name: 'Zoë' }])
  test.each([
    ['as they are', text, {}],
    ['gzip', gzipSync(text), { 'Content-Encoding': 'gzip' }],
    ['x-gzip, in other letters', gzipSync(text), { 'content-encoding': 'X-GZIP' }],
    ['deflate', deflateSync(text), { 'Content-Encoding': 'deflate' }],
    ['deflate without its frame', deflateRawSync(text), { 'Content-Encoding': 'deflate' }],
    ['br', brotliCompressSync(text), { 'Content-Encoding': 'br' }],
    ['one coding in another', brotliCompressSync(gzipSync(text)), { 'Content-Encoding': 'gzip, br' }],
  ])('%s are read', (_, body, headers) => {
    const { reply, cut } = createProxiedCallReader('/v1')(proxied({ body, headers }))
    expect(reply.body).toBe(text)
    expect(cut).toEqual({ call: undefined, reply: undefined })
  })

  test.each([
    ['more than was kept', { body: text, kept: false }],
    ['a coding that nobody knows', { body: text, headers: { 'Content-Encoding': 'zebra' } }],
    ['what is not in its coding', { body: text, headers: { 'Content-Encoding': 'gzip' } }],
    ['half of it', { body: gzipSync(text).subarray(0, 20), headers: { 'Content-Encoding': 'gzip' } }],
    [
      'little that grows to very much',
      { body: gzipSync(Buffer.alloc(50_000_000)), headers: { 'Content-Encoding': 'gzip' } },
    ],
    ['very many codings', { body: text, headers: { 'Content-Encoding': Array(9).fill('identity').join() } }],
  ])('%s is not kept, but its size is', (_, fields) => {
    const { reply, cut } = createProxiedCallReader('/v1')(proxied(fields))
    expect(reply.body).toBeUndefined()
    expect(cut.reply).toBe(Buffer.byteLength(fields.body))
  })
})
