import { expect, test } from 'vitest'
import { fleetReport, type PolicyFigures } from '../../../src/judges/fleet/fleet-report.ts'

const pause: PolicyFigures = {
  name: 'pause',
  wanted: 1_000,
  served: 0.9,
  calls: 1_000,
  refused: 100,
  banned: { count: 1, ms: 300_000 },
  age: { p50: 100, p95: 10_000, p99: 20_000 },
  herd: 100,
  fairness: 1,
  unused: 0.1,
  quota: 1_000,
}

/** What is worse now than in the figures of a baseline. */
function worse(now: Partial<PolicyFigures>, before: Partial<PolicyFigures> = {}): readonly string[] {
  const report = fleetReport(
    { policies: [{ ...pause, ...now }], advice: [] },
    [],
    [],
    [{ ...pause, ...before }],
  )
  return report.findings.flatMap(({ evidence }) => evidence.map(({ what, detail }) => `${what}: ${detail}`))
}

const { age } = pause

test.each<[now: Partial<PolicyFigures>, found: readonly string[]]>([
  [{}, []],
  [{ served: 0.89 }, []],
  [{ served: 0.88 }, ['pause: served 88 %, 90 % before']],
  [{ refused: 120 }, []],
  [{ refused: 121 }, ['pause: refused 121 calls, 100 before']],
  [{ banned: { count: 2, ms: 0 } }, ['pause: banned 2 times, 1 before']],
  [{ herd: 120 }, []],
  [{ herd: 121 }, ['pause: 121 calls in the first second after a reset, 100 before']],
  [{ age: { ...age, p95: 12_000 } }, []],
  [{ age: { ...age, p95: 13_000 } }, ['pause: p95 of the age 13s, 10s before']],
  [{ cut: 5 }, ['pause: made too many calls, so the run was cut']],
])('compared with its baseline, a policy with %j is worse by %j', (now, found) => {
  expect(worse(now)).toEqual(found)
})

test('a run that was cut before, too, is no worse', () => {
  expect(worse({ cut: 5 }, { cut: 9 })).toEqual([])
})

test('each policy is compared with its own figures, and one that the baseline lacks with none', () => {
  const policies = [pause, { ...pause, name: 'pacing', served: 0.5 }, { ...pause, name: 'fixed', served: 0 }]
  const before = [{ ...pause, name: 'pacing' }, pause]
  const { findings, unjudged } = fleetReport({ policies, advice: [] }, [], [], before)
  expect(findings).toMatchObject([
    {
      title: 'Worse than in the baseline: pacing.',
      count: 1,
      evidence: [{ what: 'pacing', detail: 'served 50 %, 90 % before' }],
    },
  ])
  expect(unjudged).toMatchObject([{ reason: 'the baseline has no policy fixed', severity: 'info' }])
})
