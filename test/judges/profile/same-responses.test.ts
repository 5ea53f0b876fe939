import { expect, test } from 'vitest'
import { draw, fork } from '../../../src/base/random/random.ts'
import { settingAt } from '../../../src/control/profile/assumed.ts'
import { underScenario } from '../../../src/control/profile/serve.ts'
import { overlay } from '../../../src/control/scenario/extend.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { Line, Profile } from '../../../src/emulator/worlds/scenario.ts'
import type { Call, Reply } from '../../../src/service/call/call.ts'
import { scenarioOf } from '../../support/scenarios.ts'
import { createStandIn, drawSettings, fieldsOf, modes, type Settings } from './stand-in.ts'

const start = Date.UTC(2026, 10, 22, 12, 0, 13)
const base: ScenarioFile = {
  clock: { at: new Date(start).toISOString() },
  keys: { learner: { plan: 'free' }, other: { plan: 'free', limits: { minute: 12, day: 40 } } },
}

/** The true values of what the profile does not know: then only what it knows can differ. */
function unknownOf(settings: Settings, { learned }: Profile): ScenarioFile {
  return Object.entries(settings).reduce<ScenarioFile>((file, [path, value]) => {
    const line: Line | undefined = learned[path]
    const isKnown = line?.state === 'observed' || line?.state === 'inferred'
    const rest = path.startsWith('errors.') && isKnown ? missing(line.value, value) : value
    return isKnown && rest === value ? file : overlay(file, settingAt(path, rest))
  }, {})
}

/** Of an error, what was not learned. */
function missing(known: unknown, value: unknown): unknown {
  const names = Object.keys(Object(known))
  const rest = Object.entries(Object(value)).filter(([name]) => !names.includes(name))
  return rest.length === 0 ? value : Object.fromEntries(rest)
}

const json = { 'Content-Type': 'application/json' }
const kinds: readonly (readonly [method: string, target: string, body?: string, headers?: object])[] = [
  ['GET', '/pets'],
  ['GET', '/pets?limit=3'],
  ['GET', '/pets?limit=0'],
  ['GET', '/pets?status=gone'],
  ['GET', '/pets?status=sold&limit=500'],
  ['GET', '/pets/7'],
  ['GET', '/pets/70707'],
  ['HEAD', '/pets/70707'],
  ['GET', '/nowhere'],
  ['PUT', '/pets'],
  ['POST', '/pets', '{"name":"Rex","categoryId":1}', json],
  ['POST', '/pets', '{"name":true}', json],
  ['POST', '/pets', '{"name"', json],
  ['POST', '/pets', '{"name":"Rex"}', { 'Content-Type': 'text/plain' }],
]

function drawCalls(seed: number): readonly Call[] {
  let at = start
  return Array.from({ length: 200 }, (_, index) => {
    const own = fork(seed, `call ${index}`)
    at += Math.floor(draw(own, 0) ** 6 * 40_000)
    const [method, target, body, headers] = kinds[Math.floor(draw(own, 1) * kinds.length)] ?? ['GET', '/pets']
    const key = ['learner', 'other', 'other', 'wrong', undefined][Math.floor(draw(own, 2) * 5)]
    return {
      method,
      target: `/v1${target}`,
      headers: Object.entries({
        Host: '127.0.0.1',
        ...(key && { Authorization: `Bearer ${key}` }),
        ...headers,
      }).flat(),
      body: body === undefined ? undefined : new TextEncoder().encode(body),
      scheme: 'http' as const,
      client: '127.0.0.1',
      receivedAt: at,
    }
  })
}

const shown = ({ status, headers, body }: Reply) => ({ status, headers, body })

test.each(Array.from({ length: 20 }, (_, seed) => seed))(
  'pet-mock with the profile of service %i gives the same 200 responses, where no unknown value decides',
  seed => {
    const settings = drawSettings(seed)
    const service = createStandIn(settings, { at: start })
    modes.writes(service)
    modes.ban(service)
    const profile = service.profile()
    const file = overlay(base, unknownOf(settings, profile))
    const served = createEmulator({ scenario: scenarioOf(underScenario(file, profile)), startedAt: start })
    const real = createEmulator({ scenario: scenarioOf(overlay(base, fieldsOf(settings))), startedAt: start })
    const statuses = new Set<number>()
    for (const call of drawCalls(seed)) {
      const reply = real.handle(call)
      statuses.add(reply.status)
      expect(shown(served.handle(call)), `${call.method} ${call.target}`).toEqual(shown(reply))
    }
    expect(statuses.size).toBeGreaterThan(4)
  },
)
