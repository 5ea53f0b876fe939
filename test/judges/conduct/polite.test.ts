import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import { createConduct } from '../../../src/judges/conduct/conduct.ts'
import { reportConduct } from '../../../src/judges/conduct/conduct-report.ts'
import type { Reply } from '../../../src/service/call/call.ts'
import { createSecrets } from '../../../src/service/keys/mask.ts'
import { fly, idsOf, type Pilot } from '../../support/flights.ts'
import { noon } from '../../support/scenarios.ts'

/** Every setting that decides what a client is told, and in which time. */
const situations = fc.record({
  scale: fc.constantFrom(1, 2, 30, 0.5),
  offset: fc.constantFrom(0, 250, 999, 86_399_500),
  limits: fc.record({
    window: fc.constantFrom('first-call' as const, 'calendar' as const),
    headers: fc.constantFrom('tightest' as const, 'minute' as const, 'day' as const),
    dialect: fc.constantFrom('x-ratelimit' as const, 'ietf' as const, 'both' as const),
    retryAfter: fc.constantFrom('seconds' as const, 'http-date' as const),
    countRefused: fc.boolean(),
  }),
  quota: fc.record({ minute: fc.integer({ min: 1, max: 9 }), day: fc.integer({ min: 1, max: 30 }) }),
})

/** A pause of the client, how many calls it then makes at once, and by how much its timers are early or late. */
const flights = fc.array(
  fc.record({
    pauseMs: fc.integer({ min: 0, max: 90_000 }),
    parallel: fc.integer({ min: 1, max: 6 }),
    lateMs: fc.integer({ min: -99, max: 5_000 }),
    byReset: fc.boolean(),
  }),
  { maxLength: 25 },
)

type Situation = typeof situations extends fc.Arbitrary<infer T> ? T : never

const start = ({ offset }: Situation) => Date.UTC(2026, 2, 2, 12) + offset

function scenarioOf(situation: Situation): ScenarioFile {
  const { scale, limits, quota } = situation
  const at = new Date(start(situation)).toISOString()
  return { clock: { at, scale }, limits, keys: { 'demo-free': { plan: 'free', limits: quota } }, bans: 'off' }
}

/** How long a refusal says to wait: milliseconds. */
function retryAfterMs({ headers }: Reply): number {
  const text = headers['Retry-After'] ?? ''
  return /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.parse(headers.Date ?? '')
}

/** How long it is until `X-RateLimit-Reset`, in the frame of `Date`: the emulator's, or, on a scaled clock, the client's. Else by `RateLimit`. */
function untilResetMs({ headers }: Reply, situation: Situation, elapsed: number): number {
  if (situation.limits.dialect === 'ietf')
    return Number(/;t=(\d+)$/.exec(headers.RateLimit ?? '')?.[1]) * 1_000
  const now = (situation.scale === 1 ? start(situation) : noon) + elapsed
  return Number(headers['X-RateLimit-Reset']) * 1_000 - now
}

test('a client that waits for Retry-After has no finding, with any settings and clock', () => {
  fc.assert(
    fc.property(situations, flights, (situation, legs) => {
      const report = fly(scenarioOf(situation), ({ send, wait, elapsed, open }: Pilot) => {
        let waitMs = 0
        for (const { pauseMs, parallel, lateMs, byReset } of legs) {
          wait(Math.max(pauseMs, waitMs + lateMs))
          open(...Array.from({ length: parallel }).keys())
          const replies = Array.from({ length: parallel }, (_, index) =>
            send('GET /v1/pets', { connection: index }),
          )
          const waits = replies
            .filter(({ status }) => status === 429)
            .map(reply => (byReset ? untilResetMs(reply, situation, elapsed()) : retryAfterMs(reply)))
          waitMs = Math.max(0, ...waits)
        }
      })
      expect(idsOf(report).filter(id => !/^(?:quota-peak|polling)/.test(id))).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('a client that returns 101 ms or more before either clock allows is always found', () => {
  fc.assert(
    fc.property(situations, fc.double({ min: 0, max: 1, noNaN: true }), (situation, part) => {
      const report = fly(scenarioOf(situation), ({ send, wait }: Pilot) => {
        for (let made = 0; made < situation.quota.minute && made < situation.quota.day; made += 1) send()
        const refused = send()
        expect(refused.status).toBe(429)
        // What the headers round up by, and what is tolerated.
        const early = retryAfterMs(refused) - 2_000 - 101
        fc.pre(early > 0)
        wait(Math.floor(early * part))
        send()
      })
      expect(idsOf(report)[0]).toBe('early-retry')
    }),
    { numRuns: 300 },
  )
})

test('calls of another service are judged only by its responses', () => {
  const kept: Exchange[] = []
  const watched = (gapMs: number) => {
    kept.length = 0
    fly(
      { keys: { 'demo-free': { plan: 'free', used: { minute: 60 } } } },
      ({ call, wait }) => {
        call()
        wait(gapMs)
        call()
      },
      exchange => kept.push(exchange),
    )
    const conduct = createConduct({
      secrets: createSecrets(),
      textOf: () => text => text,
      isKey: () => false,
      startsAt: () => 1,
    })
    for (const exchange of kept) {
      const trace = {
        ...exchange.trace,
        limit: undefined,
        bannedUntil: undefined,
        strikes: 0,
        plan: undefined,
      }
      conduct.add({ ...exchange, trace })
    }
    return conduct.findings().map(({ id }) => id)
  }
  expect(watched(60_000)).toEqual([])
  expect(watched(1_000)).toEqual(['early-retry'])
})

test('the report counts callers that made room for newer ones', () => {
  const kept: Exchange[] = []
  fly(
    {},
    ({ call }) => call(),
    exchange => kept.push(exchange),
  )
  const conduct = createConduct({
    secrets: createSecrets(),
    textOf: () => text => text,
    isKey: () => false,
    startsAt: () => 1,
  })
  for (const exchange of kept)
    for (let caller = 0; caller < 1_003; caller += 1)
      conduct.add({ ...exchange, trace: { ...exchange.trace, key: `key-${caller}` } })
  const { notes } = reportConduct(conduct, { plans: [], evicted: 0, flights: false })
  expect(notes).toEqual([
    'Callers that made room for newer ones: 3. A later call of theirs counts as their first.',
  ])
})
