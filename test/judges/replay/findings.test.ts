import { expect, test } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { withLargestPages } from '../../../src/judges/replay/client-change.ts'
import { replay } from '../../../src/judges/replay/replay.ts'
import { replayScenario } from '../../../src/judges/replay/replay-plan.ts'
import { reportReplay } from '../../../src/judges/replay/replay-report.ts'
import type { WantedCall } from '../../../src/judges/replay/wanted-calls.ts'
import { shippedPlans } from '../../../src/service/plans/plan.ts'
import { monday, wantedCall } from '../../support/archives.ts'

const times = (count: number, call: (index: number) => WantedCall) =>
  Array.from({ length: count }, (_, index) => call(index))

/** What each plan does with these calls, and what is found. */
function judged(calls: readonly WantedCall[], expected: readonly string[] = [], file: ScenarioFile = {}) {
  const result = replay({
    callers: [{ name: undefined, calls }],
    scenario: replayScenario('replay', file),
    plans: Object.entries(shippedPlans).map(([name, quota]) => ({ name, quota })),
    retries: 'keep',
    showCaller: () => undefined,
    flights: false,
  })
  const {
    plans: views,
    findings,
    facts,
  } = reportReplay(result, {
    name: 'calls.har',
    callerBy: 'all',
    retries: 'keep',
    skipped: [],
    notes: [],
    expected,
    mask: text => text.replaceAll('secret', '…'),
  })
  return { views, findings, facts }
}

const call = 'GET /v1/pets → 429'

test('a plan that refuses calls is a finding, with its refusals and bans, and an error where it was expected to serve', () => {
  const { findings } = judged(
    times(75, at => wantedCall(at * 100)),
    ['free'],
  )
  expect(findings).toEqual([
    {
      id: 'free',
      severity: 'error',
      title: 'The plan Free refuses 15 of 75 calls. Clients are blocked for 5m, with 1 ban.',
      remedy:
        'Suffices: identical GETs within 10s from a cache: 0 refused, 74 calls fewer. Suffices: spread over the minute, one call every 1s: 0 refused, a call waits up to 1m7s.',
      source: 'specification, "Rate limits by plan"; A05 to A10',
      count: 15,
      evidence: [0, 100, 200, 300, 400].map(ms => ({
        what: call,
        detail: expect.stringMatching(/^the 60 calls of this minute are used, wait 5[34]s$/),
        at: `2026-03-02T08:00:06${ms === 0 ? '' : `.${ms}`}Z`,
      })),
    },
  ])
})

test('calls of a day, and during a ban, say so', () => {
  const day = judged(times(1_001, at => wantedCall(at * 2_000)))
  expect(day.findings.map(({ id, severity, evidence }) => [id, severity, evidence[0]?.detail])).toEqual([
    ['free', 'info', 'the 1,000 calls of this day are used, wait 23h26m'],
  ])
  const calls = times(64, at => wantedCall(at, '/v1/pets/secret'))
  const [banned] = judged(calls, [], { bans: { after: 2, for: '10m' } }).findings
  expect(banned?.title).toMatch(/refuses 4 of 64 calls. Clients are blocked for 10m, with 1 ban\.$/)
  const minute = 'the 60 calls of this minute are used, wait 1m'
  expect(banned?.evidence.map(({ detail }) => detail)).toEqual([
    minute,
    'banned, wait 10m',
    'banned, wait 10m',
    'banned, wait 10m',
  ])
  expect(banned?.evidence[0]?.what).toBe('GET /v1/pets/… → 429')
})

test('a view of a plan has its numbers, and its texts masked', () => {
  const [free, pro] = judged(times(61, at => wantedCall(at, `/v1/pets?note=secret${at}`))).views
  expect(free).toMatchObject({
    plan: 'free',
    limits: { minute: 60, day: 1_000 },
    calls: 61,
    refused: 1,
    withoutRepeats: null,
    firstRefusal: {
      at: '2026-03-02T08:00:00.060Z',
      call: 'GET /v1/pets?note=…60',
      status: 429,
      by: 'minute',
    },
    blockedMs: 59_940,
    bans: 0,
    peak: { minute: 60, day: 60 },
  })
  expect(free?.refusals).toEqual([free?.firstRefusal])
  expect(free?.changes[0]).toEqual({
    cacheMs: 3_600_000,
    suffices: false,
    calls: 61,
    refused: 1,
    longestWaitMs: 0,
  })
  expect(pro).toMatchObject({ plan: 'pro', refused: 0, firstRefusal: null, refusals: [], changes: [] })
})

test.each<[limit: string, pages: number]>([
  ['limit=50', 1],
  ['limit=100', 2],
  ['limit=0', 1],
  ['limit=1000', 1],
  ['limit=x', 1],
  ['', 1],
])('two linked pages with %j become %i', (query, pages) => {
  const [first, second] = [`/v1/pets?${query}&status=sold`, `/v1/pets?${query}&status=sold&cursor=a`]
  const calls = [wantedCall(0, first, { next: second }), wantedCall(1, second)]
  const result = withLargestPages(calls)
  expect(result.calls).toHaveLength(pages)
  if (pages === 2) expect(result.calls.map(({ target }) => target)).toEqual([first, second])
  else expect(result.calls[0]?.target).toMatch(/^\/v1\/pets\?&?status=sold&limit=100$/)
  expect(result.calls[0]?.at).toBe(monday)
})

test('the facts say how many calls were made, when, and how many a minute and a day need', () => {
  const { facts } = judged(times(75, at => wantedCall(at * 100)))
  expect(facts.slice(0, 3)).toEqual([
    { name: 'Calls', value: '75 calls, counted as those of one caller (--caller-by all)' },
    { name: 'Time', value: '2026-03-02T08:00:00Z to 2026-03-02T08:00:07.400Z' },
    { name: 'Demand', value: 'at most 75 in a minute and 75 in a day, if nothing is refused' },
  ])
})
