import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
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
  onTestFinished(mock.close)
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
}

async function callInSimulation(policy: string) {
  const group = { instances, latency: 20, demand: { perMs, arrivals: 'even', byHour: undefined } } as const
  const create = policies[policy]
  if (create === undefined) throw new Error(policy)
  const statuses: number[] = []
  const { figures } = await simulate(fleetOf({ ...quota, scenario, length }, group), {
    name: policy,
    create,
    mostCalls: 10_000,
    onCall: (_at, _key, status) => void statuses.push(status),
  })
  const served = statuses.filter(status => status === 200).length
  return { served, refused: figures.refused, bans: figures.banned.count }
}

test('twelve processes get what the simulation says, in five runs of two policies', async () => {
  for (let at = 0; at < 5; at += 1)
    await Promise.all(
      ['retry-after', 'pause'].map(async policy => {
        const said = await callInSimulation(policy)
        const real = await callForReal(policy)
        const context = `${policy}: ${JSON.stringify({ said, real })}`
        expect(said.bans, context).toBeGreaterThan(0)
        expect(real.bans, context).toBe(said.bans)
        expect(Math.abs(real.served - said.served), context).toBeLessThanOrEqual(said.served * 0.02)
        const apart = Math.min(10, said.refused * 0.15)
        expect(Math.abs(real.refused - said.refused), context).toBeLessThanOrEqual(apart)
      }),
    )
}, 600_000)
