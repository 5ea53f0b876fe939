import { describe, expect, test } from 'vitest'
import type { CheckId } from '../../../src/judges/check/checks.ts'
import type { Call, Reply } from '../../../src/service/call/call.ts'
import { type Between, checkEmulator } from '../../support/check-emulator.ts'

/* Each service has one fault, and the run must find it. */

type Headers = Readonly<Record<string, string>>

const withHeaders = (alter: (headers: Headers, reply: Reply, call: Call) => Headers): Between => ({
  reply: (reply, call) => ({ ...reply, headers: alter(reply.headers, reply, call) }),
})
const without = (name: string, where: (reply: Reply, call: Call) => boolean = () => true) =>
  withHeaders((headers, reply, call) =>
    where(reply, call)
      ? Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))
      : headers,
  )
const withHeader = (name: string, alter: (value: string, reply: Reply) => string) =>
  withHeaders((headers, reply) => {
    const value = headers[name]
    return value === undefined ? headers : { ...headers, [name]: alter(value, reply) }
  })
const withBody = (
  where: (reply: Reply, call: Call) => boolean,
  alter: (body: string) => string,
): Between => ({
  reply: (reply, call) =>
    reply.body !== undefined && where(reply, call) ? { ...reply, body: alter(reply.body) } : reply,
})
const as = (status: number, where: (reply: Reply, call: Call) => boolean): Between => ({
  reply: (reply, call) => (where(reply, call) ? { ...reply, status } : reply),
})
/** A service that misreads the target of a call. */
const reading = (from: RegExp, to: string): Between => ({
  call: call => ({ ...call, target: call.target.replace(from, to) }),
})
const sending = (from: RegExp, to: string): Between => ({
  call: call =>
    call.body instanceof Uint8Array
      ? { ...call, body: new TextEncoder().encode(new TextDecoder().decode(call.body).replace(from, to)) }
      : call,
})

const isList = (_: Reply, { method, target }: Call) => method === 'GET' && /^\/v1\/pets(?:\?|$)/.test(target)
const isPet = ({ status }: Reply, { method, target }: Call) =>
  status === 200 && method === 'GET' && target.startsWith('/v1/pets/')
const isMade = ({ status }: Reply) => status === 201
const isFiltered = ({ status }: Reply, { target }: Call) => status === 200 && target.includes('status=')
const isError = ({ status }: Reply) => status >= 400
const isRefusal = ({ status }: Reply) => status === 429
const list = (alter: (pets: Record<string, unknown>[]) => unknown) => (body: string) =>
  body.startsWith('[') ? JSON.stringify(alter(JSON.parse(body))) : body

const faults: readonly (readonly [fault: string, between: Between, check: CheckId])[] = [
  ['a missing X-RateLimit-Reset', without('X-RateLimit-Reset'), 'limit-headers'],
  ['limit headers on success alone', without('X-RateLimit-Limit', isError), 'limit-headers'],
  [
    'Remaining that is no integer',
    withHeader('X-RateLimit-Remaining', value => `${value}.0`),
    'limit-integers',
  ],
  ['a limit of another plan', withHeader('X-RateLimit-Limit', () => '300'), 'limit-of-plan'],
  ['Remaining above Limit', withHeader('X-RateLimit-Remaining', () => '61'), 'limit-remaining-range'],
  ['Remaining that stands still', withHeader('X-RateLimit-Remaining', () => '42'), 'limit-counts-down'],
  ['Reset in milliseconds', withHeader('X-RateLimit-Reset', value => `${value}000`), 'limit-reset-seconds'],
  ['Reset as seconds that are left', withHeader('X-RateLimit-Reset', () => '42'), 'limit-reset-seconds'],
  [
    'Reset in the past',
    withHeader('X-RateLimit-Reset', value => `${Number(value) - 7_200}`),
    'limit-reset-ahead',
  ],
  [
    'Reset in two days',
    withHeader('X-RateLimit-Reset', value => `${Number(value) + 172_800}`),
    'limit-reset-ahead',
  ],
  ['a missing challenge', without('WWW-Authenticate'), 'auth-challenge'],
  [
    'a challenge of another scheme',
    withHeader('WWW-Authenticate', () => 'Basic realm="pets"'),
    'auth-scheme',
  ],
  ['no key asked for', { call: keyed }, 'auth-missing'],
  [
    'any key taken',
    { call: call => (call.headers.includes('Authorization') ? keyed(call) : call) },
    'auth-invalid',
  ],
  [
    'a field of the wrong type',
    withBody(
      isList,
      list(pets => pets.map(pet => ({ ...pet, id: `${pet.id}` }))),
    ),
    'contract-body',
  ],
  ['a field that is missing', withBody(isPet, body => body.replace(/"name":"[^"]*",/, '')), 'contract-body'],
  ['an envelope around the list', withBody(isList, body => `{"pets":${body}}`), 'contract-body'],
  ['a page of HTML', withHeader('Content-Type', () => 'text/html'), 'contract-media-type'],
  ['an error of another shape', withBody(isError, () => '{"error":"no"}'), 'contract-body'],
  [
    'another status in the error',
    withBody(isError, body => body.replace(/"status":\d+/, '"status":418')),
    'error-status',
  ],
  ['200 for what is made', as(200, isMade), 'create-answers'],
  ['202 for what is made', as(202, isMade), 'contract-status'],
  ['a limit that is one too many', reading(/limit=3\b/, 'limit=4'), 'list-limit'],
  ['a limit that is one too few', reading(/limit=3\b/, 'limit=2'), 'list-full'],
  ['a default of 50', reading(/\/pets$/, '/pets?limit=50'), 'list-default'],
  ['a limit of 50 at most', reading(/limit=100\b/, 'limit=0'), 'list-answers'],
  ['a limit that is clamped', reading(/limit=101\b/, 'limit=100'), 'list-limit-refused'],
  [
    'a page out of order',
    withBody(
      isList,
      list(pets => pets.toReversed()),
    ),
    'list-ids-ascend',
  ],
  [
    'an animal twice',
    withBody(
      isList,
      list(pets => pets.map((pet, at) => (at === 1 ? pets[0] : pet))),
    ),
    'list-ids-unique',
  ],
  ['a filter that leaks', reading(/status=pending/, 'x=y'), 'list-filter'],
  [
    'a filter that loses one',
    withBody(
      isFiltered,
      list(pets => pets.slice(1)),
    ),
    'list-filter-complete',
  ],
  ['a page that begins again', reading(/cursor=(?!none)[^&]*/, 'x=y'), 'page-continues'],
  ['no Link to the next page', without('Link', isList), 'page-linked'],
  ['the animal of another id', reading(/\/pets\/1$/, '/pets/2'), 'get-same'],
  [
    'an empty success for an unknown id',
    {
      reply: (reply, { target }) =>
        target.endsWith('775783') ? { ...reply, status: 200, body: 'null' } : reply,
    },
    'get-unknown',
  ],
  ['no Sunset', without('Sunset'), 'deprecation-sunset'],
  [
    'another date of the end',
    withHeader('Sunset', () => 'Fri, 05 Dec 2031 00:00:00 GMT'),
    'deprecation-date',
  ],
  [
    'an end of lists',
    {
      reply: (reply, call) =>
        isList(reply, call)
          ? { ...reply, headers: { ...reply.headers, Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' } }
          : reply,
    },
    'deprecation-only',
  ],
  ['lost digits of an int64 that is sent', sending(/9007199254740993/, '9007199254740992'), 'int64-exact'],
  [
    'lost digits of an int64 that is read',
    withBody(isPet, body => body.replace('9007199254740993', '9007199254740992')),
    'int64-exact',
  ],
  [
    'an id that was used before',
    withBody(isMade, body => body.replace(/"id":\d+/, '"id":1')),
    'create-new-id',
  ],
  ['another name than was sent', sending(/"name":"Rex"/, '"name":"Max"'), 'create-as-sent'],
  ['a default for status', sending(/("categoryId":1)}/, '$1,"status":"available"}'), 'create-status-absent'],
  ['a body without a name taken', sending(/^{"categoryId"/, '{"name":"","categoryId"'), 'create-refuses'],
  [
    '422 for a body that is invalid',
    as(422, ({ status }, { method }) => status === 400 && method === 'POST'),
    'create-refuses',
  ],
  [
    'a body that is made, and lost',
    {
      reply: (reply, call) =>
        isPet(reply, call) && !call.target.endsWith('/1')
          ? { ...reply, status: 404, body: '{"code":"gone","message":"","status":404}' }
          : reply,
    },
    'get-answers',
  ],
  ['405 without Allow', without('Allow'), 'method-allow'],
  ['429 without Retry-After', without('Retry-After', isRefusal), 'contract-header'],
  ['Retry-After in words', withHeader('Retry-After', () => 'soon'), 'contract-header'],
  [
    'Retry-After and Reset apart',
    withHeader('Retry-After', value => `${Number(value) + 30}`),
    'retry-agrees',
  ],
  ['503 in the place of 429', as(503, isRefusal), 'limit-enforced'],
  ['429 before the limit is reached', { reply: early() }, 'limit-not-early'],
]

describe('a service with one fault', () => {
  test.each(faults)('%s', async (_, between, check) => {
    const { outcome } = await checkEmulator(between, { exhausts: true, maxCalls: 110 })
    expect(outcome.failed.map(({ check }) => check)).toContain(check)
  })
})

test('no limit at all', async () => {
  const file = { plans: { free: { minute: 60, day: 1_000 } } }
  const between: Between = {
    reply: reply => ({
      ...reply,
      ...(reply.status === 429 && { status: 200, body: '[]' }),
    }),
  }
  const { outcome } = await checkEmulator(between, { exhausts: true, maxCalls: 110 }, file)
  expect(outcome.failed.map(({ check }) => check)).toContain('limit-enforced')
})

/** A call with the key under test. */
function keyed(call: Call): Call {
  return {
    ...call,
    headers: [
      'Host',
      '127.0.0.1:7387',
      'Authorization',
      'Bearer demo-free',
      'Content-Type',
      'application/json',
    ],
  }
}

/** Refuses a call while three are left. */
function early(): (reply: Reply) => Reply {
  return reply =>
    reply.headers['X-RateLimit-Remaining'] === '3' && reply.status < 400
      ? {
          ...reply,
          status: 429,
          headers: { ...reply.headers, 'Retry-After': '1' },
          body: '{"code":"c","message":"m","status":429}',
        }
      : reply
}
