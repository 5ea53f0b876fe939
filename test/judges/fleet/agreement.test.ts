import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { policies } from '../../../src/judges/fleet/policy.ts'
import { simulate } from '../../../src/judges/fleet/simulate.ts'
import { startPetMock } from '../../../src/library/testing/start-pet-mock.ts'
import { fleetKey, fleetOf } from '../../support/drawn-fleets.ts'

const program = fileURLToPath(new URL('../../clients/programs/in-a-simulated-fleet.js', import.meta.url))
const run = promisify(execFile)
const speed = 4
const instances = 12
const length = 180_000
const perMs = 80 / 60_000
const betweenRuns = 6_000
const quota = { minute: 60, day: 5_000 }
const scenario = { bans: { for: '40s' } } as const

/** Twelve processes call a server whose clock runs at four times the speed, for three minutes of that clock. */
async function callForReal(policy: string) {
  const mock = await startPetMock({
    scenario: {
      ...scenario,
      clock: { scale: speed },
      plans: { own: quota },
      keys: { [fleetKey]: { plan: 'own' } },
      pets: { count: 1 },
    },
  })
  try {
    const start = Date.now() + 3_000
    const env = { ...process.env, PET_MOCK_URL: mock.url, PET_MOCK_KEY: fleetKey }
    await Promise.all(
      Array.from({ length: instances }, async (_, place) => {
        const times = [start, start + length / speed, instances / perMs / speed, place / perMs / speed, speed]
        await run(process.execPath, [program, policy, ...times.map(String)], { env })
      }),
    )
    const calls = await mock.requests.list({ limit: 5_000 })
    const codes = calls.map(({ code }) => code)
    return {
      served: calls.filter(({ status }) => status === 200).length,
      refused: calls.filter(({ status }) => status === 429).length,
      bans: codes.filter((code, at) => code === 'api_key_banned' && codes[at - 1] !== code).length,
    }
  } finally {
    await mock.close()
  }
}

async function callInSimulation(policy: string, seed: number) {
  const group = { instances, latency: 20, demand: { perMs, arrivals: 'even', byHour: undefined } } as const
  const create = policies[policy]
  if (create === undefined) throw new Error(policy)
  const statuses: number[] = []
  const { figures } = await simulate(fleetOf({ ...quota, scenario, length, seed }, group), {
    name: policy,
    create,
    mostCalls: 10_000,
    onCall: (_at, _key, status) => void statuses.push(status),
  })
  const served = statuses.filter(status => status === 200).length
  return { served, refused: figures.refused, bans: figures.banned.count }
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length

/** The part by which the refused calls may differ. With a pause, real processes get about a tenth fewer than simulated ones. */
const apart = { 'retry-after': 0.05, pause: 0.2 }

test.concurrent.for(Object.entries(apart))(
  'five times twelve processes with the policy %s get what five simulations say',
  { timeout: 600_000 },
  async ([policy, part]) => {
    const runs = [0, 1, 2, 3, 4]
    const said = await Promise.all(runs.map(run => callInSimulation(policy, run)))
    // The processes mostly wait. Only their starts keep the machine busy.
    const real = await Promise.all(runs.map(run => sleep(run * betweenRuns).then(() => callForReal(policy))))
    const context = JSON.stringify({ said, real })
    const [{ bans, served } = expect.fail()] = said
    expect(bans).toBeGreaterThan(0)
    for (const each of [...said, ...real]) {
      expect(each.bans, context).toBe(bans)
      expect(Math.abs(each.served - served), context).toBeLessThanOrEqual(served * 0.02)
    }
    const refused = mean(said.map(each => each.refused))
    expect(Math.abs(mean(real.map(each => each.refused)) - refused), context).toBeLessThanOrEqual(
      refused * part,
    )
  },
)
