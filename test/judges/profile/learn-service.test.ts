import { describe, expect, test } from 'vitest'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import { authorizationOf, type CheckRequest } from '../../../src/judges/conformance/requests.ts'
import { exchangeOf, type LearnOptions, learnService } from '../../../src/judges/profile/learn-service.ts'
import { bounds, costLines } from '../../../src/judges/profile/plan.ts'
import type { Call, Reply } from '../../../src/service/call/call.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'
import { drawSettings, fieldsOf, type Settings } from './stand-in.ts'

type Answer = (call: Call) => Reply | undefined
type Allow = Partial<Pick<LearnOptions, 'writes' | 'exhausts' | 'bans'>>

/** A run against a service, on virtual time. */
async function run(answer: Answer, allow: Allow = {}, key = 'demo-free') {
  let now = noon + 11_111
  const started = now
  const sent: { readonly request: CheckRequest; readonly reply: Reply | undefined; readonly at: number }[] =
    []
  const send = async (request: CheckRequest): Promise<Exchange | undefined> => {
    now += 40
    const { method, target, body } = request
    const authorization = authorizationOf(request, key)
    const headers = {
      Host: '127.0.0.1',
      ...request.headers,
      ...(authorization && { Authorization: authorization }),
    }
    const reply = answer({
      method,
      target: `/v1${target}`,
      headers: Object.entries(headers).flat(),
      body: body === undefined ? undefined : new TextEncoder().encode(body),
      scheme: 'http',
      client: '127.0.0.1',
      receivedAt: now,
    })
    sent.push({ request, reply, at: now })
    if (reply === undefined) return undefined
    const whole = { status: reply.status, headers: reply.headers, text: reply.body ?? '' }
    return exchangeOf(request, whole, key, { id: sent.length, sentAt: now, answeredAt: now + 15 })
  }
  const outcome = await learnService({
    writes: false,
    exhausts: false,
    bans: false,
    ...allow,
    send,
    now: () => now,
    wait: async ms => {
      now += ms
    },
  })
  return { ...outcome, sent, tookMs: now - started }
}

/** pet-mock with settings, behind a clock that runs with the calls. */
function serviceOf(settings: Settings = {}, minute = 60, used = 0): Answer {
  const scenario = scenarioOf({
    ...fieldsOf(settings),
    clock: { at: new Date(noon + 11_111).toISOString() },
    keys: {
      'demo-free': {
        plan: 'free',
        limits: { minute, day: 20_000 },
        ...(used > 0 && { used: { minute: used } }),
      },
    },
  })
  const emulator = createEmulator({ scenario, startedAt: noon + 11_111 })
  return call => emulator.handle(call)
}

const left = (reply: Reply | undefined) =>
  Number(Object.entries(reply?.headers ?? {}).find(([name]) => /remaining$|-g-m$/i.test(name))?.[1])
const isWrite = ({ request, reply }: { request: CheckRequest; reply: Reply | undefined }) =>
  request.method === 'POST' || (reply?.status ?? 0) === 201
const isRefusal = ({ reply }: { reply: Reply | undefined }) => [403, 429].includes(reply?.status ?? 0)

describe('60 drawn services', () => {
  test.each(Array.from({ length: 60 }, (_, seed) => seed))(
    'service %i gets no write and no refusal',
    async seed => {
      const { calls, sent, stopped } = await run(serviceOf(drawSettings(seed)))
      expect(calls).toBeLessThanOrEqual(bounds.reading)
      expect(sent.filter(({ request }) => request.key !== 'valid').length).toBeLessThanOrEqual(3)
      expect(sent.filter(isWrite)).toEqual([])
      expect(sent.filter(isRefusal)).toEqual([])
      expect(stopped).toBeUndefined()
      const first = left(sent[0]?.reply)
      const least = sent.filter(({ reply }) => reply?.status === 200).map(({ reply }) => left(reply))
      for (const one of least)
        if (!Number.isNaN(one) && !Number.isNaN(first)) expect(one).toBeGreaterThanOrEqual(first / 2)
    },
  )

  test.each(Array.from({ length: 20 }, (_, seed) => seed))(
    'service %i gets what the flags allow',
    async seed => {
      const { sent } = await run(serviceOf({ ...drawSettings(seed), 'bans.after': 20 }), {
        writes: true,
        exhausts: true,
      })
      expect(sent.filter(({ reply }) => reply?.status === 201).length).toBeLessThanOrEqual(3)
      expect(
        sent.filter(({ request, reply }) => request.method === 'POST' && reply?.status === 400).length,
      ).toBeLessThanOrEqual(6)
      expect(sent.filter(isRefusal).length).toBeLessThanOrEqual(1)
    },
  )
})

describe('the bounds of a run', () => {
  test('two windows of the calendar begin off the minute with --exhaust', async () => {
    const { sent } = await run(serviceOf({ 'limits.window': 'calendar' }), { exhausts: true })
    const refused = sent.findIndex(isRefusal)
    const after = sent.slice(refused + 1)
    expect(after).toHaveLength(2)
    for (const { at, reply } of after) {
      expect(reply?.status).toBe(200)
      expect(at % 60_000).toBeGreaterThan(1_000)
    }
  })

  test('with the flag for bans, at most 20 calls are refused, and none follows the first sign of a ban', async () => {
    const { sent } = await run(serviceOf({ 'bans.after': 7 }), { bans: true })
    const refused = sent.filter(isRefusal)
    expect(refused).toHaveLength(7)
    expect(JSON.parse(refused.at(-1)?.reply?.body ?? '{}').code).toBe('api_key_banned')
    const never = await run(serviceOf({ 'bans.after': 100 }), { bans: true })
    expect(never.sent.filter(isRefusal)).toHaveLength(20)
  })

  test.each<[string, Answer, Allow, number, RegExp | undefined, RegExp | undefined]>([
    ['fewer than 20 calls are left', serviceOf({}, 60, 45), {}, 1, /^Only 14 calls are left/, undefined],
    [
      'the window is used up',
      serviceOf({}, 60, 60),
      {},
      1,
      /answered GET \/pets\?limit=2 with 429/,
      undefined,
    ],
    [
      'over 1,000 calls are left',
      serviceOf({}, 5_000),
      { exhausts: true },
      24,
      undefined,
      /No minute was used up: 49\d\d calls are left, more than 1000/,
    ],
    [
      'every response is a redirect',
      () => ({ status: 302, headers: { Location: '/x' }, body: '' }),
      {},
      1,
      /with 302/,
      undefined,
    ],
    ['every response is 503', () => ({ status: 503, headers: {}, body: '' }), {}, 1, /with 503/, undefined],
    ['nothing is answered', () => undefined, {}, 2, /no complete response/, undefined],
    [
      'no header says how many calls are left',
      () => ({ status: 200, headers: {}, body: '[]' }),
      { exhausts: true },
      20,
      undefined,
      /No header says how many calls are left/,
    ],
    [
      'Remaining never falls',
      () => ({
        status: 200,
        headers: { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59' },
        body: '[]',
      }),
      { exhausts: true },
      24,
      undefined,
      /longer than a minute/,
    ],
    [
      'the names have one hyphen more',
      () => ({
        status: 200,
        headers: { 'X-Rate-Limit-Remaining': '59', 'X-Rate-Limit-Limit': '60' },
        body: '[]',
      }),
      { exhausts: true },
      24,
      undefined,
      /a window of 60 calls that is longer than a minute/,
    ],
    [
      'Remaining is huge',
      () => ({ status: 200, headers: { 'X-RateLimit-Remaining': '9'.repeat(30) }, body: '[]' }),
      { exhausts: true },
      20,
      undefined,
      /No header says/,
    ],
    [
      'the next window never comes',
      () => ({
        status: 200,
        headers: { 'X-RateLimit-Remaining': '20', 'X-RateLimit-Reset': '99999999999' },
        body: '[]',
      }),
      {},
      24,
      undefined,
      undefined,
    ],
  ])('%s', async (_says, answer, allow, most, stopped, note) => {
    const outcome = await run(answer, allow)
    expect(outcome.calls).toBeLessThanOrEqual(most)
    expect(outcome.tookMs).toBeLessThan(300_000)
    if (stopped === undefined) expect(outcome.stopped).toBeUndefined()
    else expect(outcome.stopped).toMatch(stopped)
    if (note !== undefined) expect(outcome.notes.join('\n')).toMatch(note)
  })

  test('a GET without a response is sent once more, and a POST never', async () => {
    const service = serviceOf()
    const { sent } = await run(call => (call.method === 'POST' ? undefined : service(call)), { writes: true })
    const posts = sent.flatMap(({ request: { method, body, headers } }) =>
      method === 'POST' ? [`${body} ${headers['Content-Type']}`] : [],
    )
    expect(posts.length).toBeGreaterThan(3)
    expect(new Set(posts).size).toBe(posts.length)
    let lost = 0
    const once = await run(call => {
      if (call.target !== '/v1/pets?limit=2' || lost > 0) return service(call)
      lost += 1
      return undefined
    })
    expect(once.sent.slice(0, 2).map(({ request }) => request.target)).toEqual([
      '/pets?limit=2',
      '/pets?limit=2',
    ])
    expect(once.stopped).toBeUndefined()
  })

  test('half of a window stays unused, but calls without the key are made all the same', async () => {
    let remaining = 40
    const { sent, notes } = await run(() => {
      remaining -= 10
      return {
        status: 200,
        headers: { 'X-RateLimit-Remaining': `${remaining}`, 'X-RateLimit-Reset': '99999999999' },
        body: '[]',
      }
    })
    expect(notes).toContain('Half of the calls of this window are used, and the next one is far off.')
    expect(sent.filter(({ request }) => request.key === 'valid')).toHaveLength(3)
    expect(sent.filter(({ request }) => request.key !== 'valid')).toHaveLength(3)
  })

  test('a 429, 403 or 5xx that was not planned ends the run', async () => {
    const service = serviceOf()
    let calls = 0
    const { stopped, sent } = await run(call => {
      calls += 1
      return calls === 9 ? { status: 403, headers: {}, body: '' } : service(call)
    })
    expect(stopped).toMatch(/with 403/)
    expect(sent).toHaveLength(9)
  })
})

test.each<[allow: Allow, waits: string, refused: string]>([
  [{}, 'two', 'none'],
  [{ writes: true }, 'two', 'none'],
  [{ exhausts: true }, 'four', 'one'],
  [{ bans: true }, 'two', `at most ${bounds.refused}, which may ban the key`],
])('the cost of a run that may do %j: waits of %s minutes, refused calls: %s', (allow, waits, refused) => {
  const lines = costLines({ writes: false, exhausts: false, bans: false, ...allow })
  expect(lines).toContainEqual(
    expect.stringContaining(`Longest wait: ${waits} minutes, until windows reset.`),
  )
  expect(lines).toContain(`Refused calls: ${refused}.`)
})
