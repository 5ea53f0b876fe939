import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatInstant } from '../../../src/base/time/instant.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { createLeftOut } from '../../../src/judges/exchanges/left-out.ts'
import { replayPlan, replayScenario } from '../../../src/judges/replay/replay-plan.ts'
import { groupByCaller, readWantedCalls } from '../../../src/judges/replay/wanted-calls.ts'
import { startPetMock } from '../../../src/library/testing/start-pet-mock.ts'

const start = Date.parse('2026-03-02T23:58:30.250Z')
const quota = { minute: 4, day: 11 }

const settings = fc.record({
  limits: fc.record({
    window: fc.constantFrom('first-call' as const, 'calendar' as const),
    headers: fc.constantFrom('tightest' as const, 'minute' as const, 'day' as const),
    countRefused: fc.boolean(),
  }),
  bans: fc.oneof(
    fc.constant('off' as const),
    fc.record({
      after: fc.integer({ min: 1, max: 4 }),
      for: fc.constantFrom('20s', '90s'),
      grace: fc.constantFrom('0s', '2s'),
      extend: fc.boolean(),
      status: fc.constantFrom(429 as const, 401 as const, 403 as const),
    }),
    fc.constant({ after: 2, for: '10s', escalate: { factor: 2, max: '5m' } }),
  ),
})

const wanted = fc.array(
  fc.record({
    pauseMs: fc.oneof(
      { arbitrary: fc.integer({ min: 0, max: 9_000 }), weight: 8 },
      { arbitrary: fc.integer({ min: 30_000, max: 40_000_000 }), weight: 1 },
    ),
    call: fc.constantFrom('GET /pets?limit=1', 'GET /pets/7', 'HEAD /pets', 'GET /nothing', 'POST /pets'),
    key: fc.constantFrom('one', 'two', undefined),
  }),
  { minLength: 1, maxLength: 45 },
)

/** The union of blocked times, as the headers of refusals give them. */
function unionOf(intervals: readonly (readonly [from: number, to: number])[]): number {
  let [length, end] = [0, Number.NEGATIVE_INFINITY]
  for (const [from, to] of intervals) {
    length += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return length
}

async function playLive(
  scenario: ScenarioFile,
  calls: readonly { pauseMs: number; call: string; key: string | undefined }[],
) {
  await using mock = await startPetMock({ scenario })
  const intervals: [number, number][] = []
  const bannedUntil = new Map<string, number>()
  let [at, refused, bans, counted] = [start, 0, 0, 0]
  let first: number | undefined
  for (const { pauseMs, call, key } of calls) {
    at += pauseMs
    await mock.clock.advance({ to: formatInstant(at) })
    const [method = '', target] = call.split(' ')
    const response = await fetch(mock.url + target, {
      method,
      headers: { ...(key && { Authorization: `Bearer ${key}` }), 'Content-Type': 'application/json' },
      ...(method === 'POST' && { body: '{"name":"Rex","categoryId":1}' }),
    })
    await response.text()
    if (key === undefined) continue
    counted += 1
    const until = Date.parse((await mock.keys.get(key))?.bannedUntil ?? '')
    const isBanned = until > at
    if (response.status !== 429 && !isBanned) continue
    refused += 1
    first ??= at
    intervals.push([at, Number(response.headers.get('X-RateLimit-Reset')) * 1_000])
    if (isBanned && at >= (bannedUntil.get(key) ?? 0)) bans += 1
    if (isBanned) bannedUntil.set(key, until)
  }
  const requests = (await mock.requests.list()).filter(({ key }) => key !== null)
  const most = (name: 'minute' | 'day') =>
    Math.max(0, ...requests.map(({ limit }) => limit?.[name].used ?? 0))
  const admin = mock.url.replace(/v1$/, '__admin')
  const texts = await Promise.all(
    ['requests', 'requests.har'].map(
      async path => new Uint8Array(await (await fetch(`${admin}/${path}`)).arrayBuffer()),
    ),
  )
  const counts = {
    calls: counted,
    refused,
    bans,
    first,
    blockedMs: unionOf(intervals),
    peak: { minute: most('minute'), day: most('day') },
  }
  return { counts, texts }
}

test('a replay of a recording counts what a live run of the same calls on a frozen clock counts', async () => {
  await fc.assert(
    fc.asyncProperty(settings, wanted, async ({ limits, bans }, calls) => {
      const scenario: ScenarioFile = {
        clock: { at: formatInstant(start), frozen: true },
        plans: { small: quota },
        keys: { one: { plan: 'small' }, two: { plan: 'small' } },
        limits,
        bans,
      }
      const { counts, texts } = await playLive(scenario, calls)
      const replays = texts.map(text => {
        const leftOut = createLeftOut()
        const recording = readWantedCalls(text, undefined, leftOut)
        const callers = groupByCaller(recording?.calls ?? [], 'key')
        if (counts.calls === 0) return counts
        if (typeof callers === 'string') return callers
        const run = replayPlan(callers, {
          scenario: replayScenario('replay', scenario),
          plan: { name: 'small', quota },
        })
        const { calls: made, refused, bans, blockedMs, peak } = run
        return { calls: made, refused, bans, first: run.refusals[0]?.at, blockedMs, peak }
      })
      expect(replays).toEqual([counts, counts])
    }),
    { numRuns: 25, seed: 14 },
  )
}, 60_000)
