import { expect, it } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'

/** What one call of pets gets, beyond its answer: data that only a door acts on. */
function call(
  prefer: string | undefined,
  rules: ScenarioFile['rules'] = [],
  method = 'GET',
  target = '/v1/pets',
) {
  const emulator = createEmulator({ scenario: scenarioOf({ rules }), startedAt: noon })
  let seen: Exchange | undefined
  emulator.observe(exchange => {
    seen = exchange
  })
  const reply = emulator.handle({
    method,
    target,
    headers: [
      ...['Host', 'localhost', 'Authorization', 'Bearer demo-free'],
      ...(prefer === undefined ? [] : ['Prefer', prefer]),
    ],
    body: undefined,
    scheme: 'http',
    client: '127.0.0.1',
    receivedAt: noon,
  })
  return {
    status: reply.status,
    delayMs: reply.delayMs,
    fault: reply.fault,
    spared: reply.spared,
    body: reply.body,
    gate: seen?.trace.gate,
    rules: seen?.trace.rules,
    synthetic: seen?.trace.synthetic,
    isLost: seen?.trace.isLost,
    code: seen?.trace.code,
    mark: reply.headers['X-Pet-Mock'],
    headers: reply.headers,
  }
}
const late = (ms: number) => ({ name: `late by ${ms}`, then: { delay: `${ms}ms` as const } })
const lost = { name: 'lost', then: { fault: 'reset' as const, direction: 'request' as const } }

it.each([
  ['nothing', undefined, [], { status: 200, gate: 'operation', rules: undefined }],
  ['a delay', 'delay=7', [], { status: 200, delayMs: 7, rules: [] }],
  [
    'an error',
    'code=503',
    [],
    { status: 503, delayMs: undefined, gate: 'prefer', rules: [], mark: 'prefer' },
  ],
  ['a late error', 'code=503, delay=7', [], { status: 503, delayMs: 7, gate: 'prefer', rules: [] }],
  ['an error before rules', 'code=503', [late(5)], { status: 503, delayMs: undefined, rules: [] }],
  ['what cannot be met', 'code=204', [], { status: 200, rules: undefined, mark: 'prefer unmet: code=204' }],
  [
    'a delay of a rule',
    undefined,
    [late(5)],
    { status: 200, delayMs: 5, rules: ['late by 5'], mark: undefined },
  ],
  [
    'an answer of a rule',
    undefined,
    [{ name: 'down', then: { status: 503 } }],
    { status: 503, rules: ['down'], mark: 'down' },
  ],
  ['both delays', 'delay=7', [late(5)], { status: 200, delayMs: 12, rules: ['late by 5'] }],
  ['at most ten minutes', 'delay=600000', [late(5)], { status: 200, delayMs: 600_000 }],
  ['a lost request', undefined, [late(5), lost], { delayMs: 5, fault: 'reset', gate: 'rule', mark: 'lost' }],
] as const)('%s', (_, prefer, rules, expected) => {
  expect(call(prefer, rules)).toMatchObject(expected)
})

it.each<[what: string, rules: readonly object[], synthetic: boolean, isLost?: true]>([
  ['without a rule', [], false],
  ['that is late', [late(5)], false],
  ['with an answer of a rule', [{ then: { status: 503 } }], true],
  ['with such an answer that never arrives', [{ then: { status: 503, fault: 'reset' } }], true, true],
  ['with such an answer that is cut', [{ then: { status: 503, fault: 'truncate' } }], true],
  ['whose request is lost', [lost], true, true],
  ['whose request hangs', [{ then: { fault: 'hang', direction: 'request' } }], true, true],
  ['whose reply is lost', [{ then: { fault: 'reset', direction: 'response' } }], false],
  ['whose reply of a rule is lost', [{ then: { status: 503, fault: 'reset', direction: 'response' } }], true],
  ['whose reply never arrives', [{ then: { fault: 'reset' } }], false],
])(
  'the journal says of a call %s: whether its answer is made up, and it never reached the API',
  (_, rules, synthetic, isLost) => {
    const named = rules.map((rule, index) => ({ name: `rule ${index}`, ...rule }))
    expect(call(undefined, named as ScenarioFile['rules'])).toMatchObject({ synthetic, isLost })
  },
)

it.each<[name: string, method: string, target: string, code: string | undefined, own: readonly string[]]>([
  ['empty', 'GET', '/v1/pets', undefined, []],
  ['complete', 'POST', '/v1/pets', undefined, ['Location']],
  ['unknownStatus', 'GET', '/v1/pets', 'invalid_parameter', []],
  ['missing', 'GET', '/v1/pets', 'missing_api_key', ['WWW-Authenticate']],
  ['methodNotAllowed', 'GET', '/v1/pets', 'method_not_allowed', ['Allow']],
  ['overLimit', 'GET', '/v1/pets', 'rate_limit_exceeded', ['Cache-Control', 'Retry-After']],
])('the example %s of %s %s has its code and its headers', (name, method, target, code, own) => {
  const { headers, ...got } = call(`example=${name}`, [], method, target)
  expect([got.gate, got.code]).toEqual(['prefer', code])
  const known = ['Allow', 'Cache-Control', 'Location', 'Retry-After', 'WWW-Authenticate']
  expect(known.filter(header => header in headers)).toEqual(own)
})

it.each<[what: string, fault: object | string, method: string, target: string, expected: object]>([
  [
    'a cut beyond the body',
    { truncate: { after: 999_999 } },
    'GET',
    '/v1/pets',
    { spared: true, mark: undefined },
  ],
  ['a cut within the body', { truncate: { after: 5 } }, 'GET', '/v1/pets', { spared: false, mark: 'broken' }],
  [
    'a cut of a reply without a body',
    { truncate: { after: 999_999 } },
    'HEAD',
    '/v1/pets',
    { spared: true, mark: undefined },
  ],
  ['half of no body', 'truncate', 'HEAD', '/v1/pets', { spared: true, mark: undefined }],
  ['no body at a pace', 'slow', 'HEAD', '/v1/pets', { spared: true, mark: undefined }],
  ['a reset without a body', 'reset', 'HEAD', '/v1/pets', { spared: false, mark: 'broken' }],
  ['a reset', 'reset', 'GET', '/v1/pets', { spared: false, mark: 'broken' }],
])('%s', (_, fault, method, target, { spared, ...expected }: { spared?: boolean }) => {
  const rules = [{ name: 'broken', then: { fault } }] as unknown as ScenarioFile['rules']
  const got = call(undefined, rules, method, target)
  expect([got.spared, got.fault]).toEqual(spared ? [fault, undefined] : [undefined, fault])
  expect(got).toMatchObject(expected)
})

it.each([
  ['GET', /,$/],
  ['HEAD', undefined],
])('a malformed body of %s', (method, end) => {
  const rules = [{ name: 'broken', then: { fault: 'malformed' as const } }]
  const { body } = call(undefined, rules, method)
  if (end === undefined) expect(body).toBeUndefined()
  else expect(body).toMatch(end)
})

it('says what cannot be met on a reply without headers of its own', () => {
  expect(call('code=204', [], 'GET', '/v1/store/orders')).toMatchObject({
    status: 200,
    mark: 'prefer unmet: code=204',
  })
})

it('names a rule that answers, although its fault breaks nothing', () => {
  const fault = { truncate: { after: 999_999 } }
  const rules = [{ name: 'down', then: { status: 503, fault } }]
  expect(call(undefined, rules)).toMatchObject({ status: 503, spared: fault, mark: 'down' })
})

it('says in the journal that a request was lost', () => {
  expect(JSON.parse(call(undefined, [lost]).body ?? '{}')).toMatchObject({
    message: 'A rule lost this request, so it was not carried out.',
  })
})

it.each([
  [{ 'content-type': 'text/html', 'service-worker-allowed': '/' }, 'sandbox'],
  [
    { 'Content-Type': 'image/svg+xml', 'content-security-policy': "img-src 'self'" },
    "img-src 'self', sandbox",
  ],
  [{ 'Content-Type': 'text/javascript' }, 'sandbox'],
  [{ 'Content-Type': 'text/plain' }, undefined],
])('a rule with the headers %j: a page of it has an origin of its own', (headers, policy) => {
  const made = call(undefined, [{ name: 'page', then: { headers, body: '<p>Hello</p>' } }]).headers
  expect(made['Content-Security-Policy']).toBe(policy)
  expect(Object.keys(made)).not.toContain('Service-Worker-Allowed')
})

it.each(['link', 'sunset', 'allow', 'cache-control', 'x-ratelimit-limit', 'retry-after', 'www-authenticate'])(
  'a header of a rule replaces its own in any case of letters: %s',
  header => {
    for (const status of [401, 404, 405, 429]) {
      const then = { status, headers: { [header]: 'mine' } }
      const { headers } = call(undefined, [{ name: 'own', then }], 'GET', '/v1/pets/1')
      const sent = Object.entries(headers).filter(([name]) => name.toLowerCase() === header)
      expect(sent.map(([, value]) => value)).toEqual(['mine'])
    }
  },
)
