import { describe, expect, it } from 'vitest'
import { createJsonLog, createPrettyLog } from '../../../src/cli/log/log-json.ts'
import { createPaint } from '../../../src/cli/terminal/text.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import type { Refusal } from '../../../src/doors/server/refusals.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import { createSecrets } from '../../../src/service/keys/mask.ts'
import { allowAnywhere, otherMethod } from '../../support/methods.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'

interface Sent {
  readonly method?: string
  readonly target?: string
  readonly key?: string | null
  /** A preflight from this origin. */
  readonly from?: string
  /** The method that the preflight asks for. */
  readonly asks?: string
  readonly prefer?: string
}

const free = (used: number, day = used): ScenarioFile => ({
  keys: { 'demo-free': { used: { minute: used, day } } },
})

/** The exchange of one call in a scenario. */
function exchangeOf(
  { method = 'GET', target = '/v1/pets', key = 'demo-free', from, asks = 'GET', prefer }: Sent,
  file: ScenarioFile = {},
): Exchange {
  const exchanges: Exchange[] = []
  const emulator = createEmulator({ scenario: scenarioOf(file), startedAt: noon })
  emulator.observe(exchange => exchanges.push(exchange))
  const page = from === undefined ? [] : ['Origin', from, 'Access-Control-Request-Method', asks]
  const authorization = key === null ? [] : ['Authorization', `Bearer ${key}`]
  emulator.handle({
    method,
    target,
    headers: [
      ...['Host', 'localhost:7387', ...authorization, ...page],
      ...(prefer === undefined ? [] : ['Prefer', prefer]),
    ],
    body: undefined,
    scheme: 'http',
    client: '127.0.0.1',
    receivedAt: noon,
  })
  const [exchange] = exchanges
  if (exchange === undefined) throw new Error('No exchange was observed')
  return exchange
}

const { maskKey } = createSecrets()
const { call: logJson, refusal: logRefusalJson } = createJsonLog(1, maskKey)
const noColours = createPaint({})
const colours = createPaint({ hasColors: () => true })
// The log shows local time.
const time = new Date(noon).toTimeString().slice(0, 8)

describe('the pretty line of a call', () => {
  it.each<[sent: Sent, file: ScenarioFile, line: string]>([
    [{}, {}, 'GET /v1/pets                200  demo-f… free  59/60 left this minute'],
    [
      { target: '/v1/pets/1' },
      free(0, 990),
      'GET /v1/pets/1             200  demo-f… free  9/1,000 left today  deprecated, removal on 05 Dec 2030',
    ],
    [
      { target: '/v1/pets/999' },
      {},
      'GET /v1/pets/999            404  demo-f… free  59/60 left this minute  pet_not_found',
    ],
    [
      {},
      free(60),
      'GET /v1/pets                429  demo-f… free  0/60 left this minute  rate_limit_exceeded, wait 60 s',
    ],
    [
      {},
      { ...free(60), limits: { retryAfter: 'http-date' } },
      'GET /v1/pets                429  demo-f… free  0/60 left this minute  rate_limit_exceeded, wait 60 s',
    ],
    [
      {},
      free(0, 1_000),
      'GET /v1/pets               429  demo-f… free  0/1,000 left today  rate_limit_exceeded, wait 86,400 s',
    ],
    [
      {},
      { keys: { 'demo-free': { banned: '90s' } } },
      'GET /v1/pets                429  demo-f… free  api_key_banned, wait 90 s',
    ],
    [
      { prefer: 'cod=429, delay=10' },
      {},
      'GET /v1/pets                200  demo-f… free  59/60 left this minute\n          delayed 10 ms, Prefer not met: cod=429',
    ],
    [
      { prefer: 'code=999' },
      free(60),
      'GET /v1/pets                429  demo-f… free  0/60 left this minute\n          rate_limit_exceeded, wait 60 s, Prefer not met: code=999',
    ],
    [{ key: null }, {}, 'GET /v1/pets                401                missing_api_key'],
    [{ key: 'nobody' }, {}, 'GET /v1/pets                401                invalid_api_key'],
    [{ target: '/pets' }, {}, 'GET /pets                   404  demo-f… free  route_not_found'],
    [
      { key: 'demo-pro+worker-3' },
      {},
      'GET /v1/pets                200  demo-p…+worker-3 pro  299/300 left this minute',
    ],
    [{ method: 'OPTIONS' }, {}, 'OPTIONS /v1/pets            204  demo-f… free'],
    [{ method: 'OPTIONS', key: null, from: 'http://localhost' }, {}, 'OPTIONS /v1/pets            204'],
    [
      { method: 'OPTIONS', key: null, from: 'http://shop.test' },
      {},
      "OPTIONS /v1/pets            204\n          preflight refused: expected Origin to be an allowed origin (--cors 'http://shop.test')",
    ],
    [
      { method: 'OPTIONS', key: null, from: 'http://localhost:3000', asks: otherMethod },
      {},
      `OPTIONS /v1/pets            204\n          preflight refused: expected Access-Control-Request-Method to be one of ${allowAnywhere}\n          (--openapi can add others)`,
    ],
    [
      { method: 'DELETE', key: 'demo-business' },
      {},
      'DELETE /v1/pets             405  demo-b… business  999/1,000 left this minute  method_not_allowed',
    ],
    [
      {},
      { rules: [{ then: { delay: '20ms' } }, { name: 'outage', then: { status: 503 } }] },
      'GET /v1/pets                503  demo-f… free  59/60 left this minute\n          injected_fault, delayed 20 ms, by rule-1 + outage',
    ],
    [
      {},
      { rules: [{ name: 'broken', then: { fault: 'reset' } }] },
      'GET /v1/pets                200  demo-f… free  59/60 left this minute  reset, by broken',
    ],
    [
      { target: '/v1/pets?limit=5&status=available' },
      {},
      'GET /v1/pets?limit=5&status=available  200  demo-f… free  59/60 left this minute',
    ],
  ])('%o %o', (sent, file, line) => {
    const pretty = createPrettyLog(noColours, { columns: 110 }, maskKey)
    expect(pretty.call(exchangeOf(sent, file))).toBe(`${time}  ${line}`)
  })

  it('is cut to the width of the terminal', () => {
    const target = `/v1/pets?status=${'a'.repeat(500)}`
    const line = createPrettyLog(noColours, { columns: 110 }, maskKey).call(exchangeOf({ target }))
    expect(line).toHaveLength(110)
    expect(line).toMatch(
      /GET \/v1\/pets\?status=?a*…a+ {2}400 {2}demo-f… free {2}59\/60 left this minute {2}invalid_parameter$/,
    )
  })

  it('keeps the columns of the longest caller so far', () => {
    const pretty = createPrettyLog(noColours, { columns: 110 }, maskKey)
    pretty.call(exchangeOf({ key: 'demo-pro+worker-3' }))
    expect(pretty.call(exchangeOf({}))).toBe(
      `${time}  GET /v1/pets                200  demo-f… free          59/60 left this minute`,
    )
  })

  it('never wraps inside a word at 80 columns', () => {
    const pretty = createPrettyLog(noColours, { columns: 80 }, maskKey)
    const long = 'a'.repeat(64)
    const [first = '', second] = pretty
      .call(exchangeOf({ target: `/v1/pets/${long}?last=1`, key: `demo-free+${long}` }, free(60)))
      .split('\n')
    expect(first).toMatch(/GET \/v1\/pets\S*…\S*t=1 {2}429 {2}demo-f…\S*…\S* free$/)
    expect(second).toBe('          0/60 left this minute')
    const rules = [
      { name: 'c'.repeat(90), then: { delay: '20ms' as const } },
      { name: 'b'.repeat(64), then: { status: 503 } },
    ]
    const lines = [
      first,
      ...pretty.call(exchangeOf({}, { rules })).split('\n'),
      // The counts of a pro key are longer.
      ...pretty.call(exchangeOf({ target: '/v1/pets?status=available', key: 'demo-pro' })).split('\n'),
    ]
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
    expect(lines.join(' ').split(/\s+/)).toEqual(expect.arrayContaining(['injected_fault,', 'b'.repeat(64)]))
  })

  it('is not widened by one long sandbox name', () => {
    const pretty = createPrettyLog(noColours, { columns: 110 }, maskKey)
    pretty.call(exchangeOf({ key: `demo-free+${'a'.repeat(64)}` }))
    expect(pretty.call(exchangeOf({}))).toBe(
      `${time}  GET /v1/pets                200  ${'demo-f… free'.padEnd(24)}  59/60 left this minute`,
    )
  })

  it('shows a deprecation in yellow', () => {
    const line = createPrettyLog(colours, { columns: 110 }, maskKey).call(
      exchangeOf({ target: '/v1/pets/1' }),
    )
    expect(line).toContain('\x1b[33mdeprecated, removal on 05 Dec 2030\x1b[39m')
    expect(line).toContain('\x1b[32m200\x1b[39m')
  })

  it('is whole without a width', () => {
    const target = `/v1/pets?status=${'a'.repeat(500)}`
    expect(createPrettyLog(noColours, {}, maskKey).call(exchangeOf({ target }))).toContain(
      `GET ${target}  400`,
    )
  })

  it('colours the status and the reason', () => {
    expect(createPrettyLog(colours, { columns: 110 }, maskKey).call(exchangeOf({ key: null }))).toBe(
      `\x1b[2m${time}\x1b[22m  GET /v1/pets                \x1b[33m401\x1b[39m                \x1b[33mmissing_api_key\x1b[39m`,
    )
  })
})

describe('the JSON line of a call', () => {
  it('names the rules, delay and fault', () => {
    const rules = [
      { name: 'late', then: { delay: '20ms' as const } },
      { then: { status: 503, fault: 'reset' as const } },
    ]
    expect(JSON.parse(logJson(exchangeOf({}, { rules })))).toMatchObject({
      status: 503,
      code: 'injected_fault',
      rules: ['late', 'rule-2'],
      synthetic: true,
      delayMs: 20,
      fault: 'reset',
    })
  })

  it('has all known fields', () => {
    expect(JSON.parse(logJson(exchangeOf({ key: 'demo-free+w1' }, free(60, 412))))).toEqual({
      event: 'call',
      id: 1,
      sandbox: 'w1',
      at: '2026-03-02T12:00:00.250Z',
      method: 'GET',
      target: '/v1/pets',
      status: 429,
      key: 'demo-f…',
      plan: 'free',
      remaining: { minute: 0, day: 588 },
      code: 'rate_limit_exceeded',
      retryAfter: 60,
    })
  })

  it('leaves out unknown fields', () => {
    expect(Object.keys(JSON.parse(logJson(exchangeOf({ target: '/', key: null }))))).toEqual([
      'event',
      'id',
      'sandbox',
      'at',
      'method',
      'target',
      'status',
      'code',
    ])
  })
})

describe('a request that the server rejected', () => {
  const refusal: Refusal = {
    at: noon,
    status: 431,
    code: 'headers_too_large',
    message: 'The request line and headers are larger than 16 KiB.',
    client: '127.0.0.1',
  }

  it('has a pretty line', () => {
    expect(createPrettyLog(noColours, { columns: 110 }, maskKey).refusal(refusal)).toBe(
      `${time}  rejected 127.0.0.1          431  The request line and headers are larger than 16 KiB.`,
    )
  })

  it('has a JSON line', () => {
    expect(JSON.parse(logRefusalJson(refusal))).toEqual({
      event: 'refused',
      ...refusal,
      at: '2026-03-02T12:00:00.250Z',
    })
  })
})

describe('control characters of a client do not reach the terminal', () => {
  const hostile = [
    '\x1b[2J\x1b[31m',
    '\r\n12:00:00  GET /forged',
    '\x9b31m',
    '\x00\x07\x7f',
    '\u202egnp',
    '\u2028',
    '\ud800',
  ]

  it.each(hostile)('%j', text => {
    const unsafe = /[\p{C}\p{Zl}\p{Zp}]/u
    const exchange = exchangeOf({ method: `GET${text}`, target: `/v1/${text}` })
    expect(createPrettyLog(noColours, {}, maskKey).call(exchange)).not.toMatch(unsafe)
    const line = logJson(exchange)
    // A format character such as U+202E cannot move the cursor.
    expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
    expect(JSON.parse(line)).toMatchObject({ target: `/v1/${text}` })
  })

  it('the line shows the escaped character', () => {
    const line = createPrettyLog(noColours, {}, maskKey).call(exchangeOf({ target: '/v1/\x1b[31m\u202e' }))
    expect(line).toContain('GET /v1/\\x1b[31m\\u{202e}  ')
  })
})
