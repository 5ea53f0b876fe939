import { describe, expect, test } from 'vitest'
import { draw, pickAt, placeOf } from '../../../src/base/random/random.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { createServiceJudge } from '../../../src/judges/upstream/upstream.ts'
import { fly, type Pilot } from '../../support/flights.ts'

const scenarios: Readonly<Record<string, ScenarioFile>> = {
  'as it is': {},
  'limits.headers: day': { limits: { headers: 'day' } },
  'limits.headers: minute': { limits: { headers: 'minute' } },
  'limits.dialect: both': { limits: { dialect: 'both' } },
  'limits.window: calendar': { limits: { window: 'calendar' } },
  'limits.retryAfter: http-date': { limits: { retryAfter: 'http-date' } },
  'limits.countRefused': { limits: { countRefused: true } },
  'bans.after: 1': { bans: { after: 1, for: '60s' } },
  'bans.status: 401': { bans: { after: 2, status: 401 } },
  'bans.status: 403': { bans: { after: 2, status: 403 } },
  'bans.escalate and extend': { bans: { after: 2, escalate: { factor: 2, max: '1h' }, extend: true } },
  'a fast clock': { clock: { scale: 30 } },
  'a frozen clock': { clock: { at: '2031-01-01T00:00:00Z', frozen: true } },
  rules: { rules: [{ match: { operation: 'createPet' }, then: { status: 429 } }] },
}

const lines = [
  'GET /v1/pets',
  'GET /v1/pets?limit=2',
  'GET /v1/pets/1',
  'GET /v1/pets/none',
  'POST /v1/pets',
  'GET /v1/nothing',
]
const keys = ['demo-free', 'demo-free', 'demo-pro', 'unknown-key', null]
const pauses = [0, 1, 20, 300, 900, 5_000, 59_000, 90_000]

/** Random calls, in bursts and with pauses; `seed` decides. */
function flight(seed: number): (pilot: Pilot) => void {
  return ({ call, wait, change }) => {
    const pause = pickAt(placeOf(0), seed, [1, 20, 500, 1_500])
    for (let made = 1; made <= 300; made += 1) {
      call(pickAt(placeOf(4 * made), seed, lines), { key: pickAt(placeOf(4 * made + 1), seed, keys) })
      wait(draw(seed, 4 * made + 2) < 0.9 ? pause : pickAt(placeOf(4 * made + 3), seed, pauses))
      if (made % 75 === 0) change({ do: 'reset' })
    }
  }
}

describe('pet-mock behind a proxy is not accused', () => {
  test.each(Object.entries(scenarios))('with %s', (_, scenario) => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const judge = createServiceJudge({ base: '/v1', textOf: () => text => text })
      // As a proxy beside it sees the time.
      fly(scenario, flight(seed), exchange => judge.add({ ...exchange, at: exchange.call.receivedAt }))
      const found = judge.report().findings.map(({ id, evidence }) => `${id} ${JSON.stringify(evidence[0])}`)
      expect(found).toEqual([])
    }
  })
})
