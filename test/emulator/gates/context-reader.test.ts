import { describe, expect, it } from 'vitest'
import { createEmulator, type EmulatorOptions } from '../../../src/emulator/emulator.ts'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import { nameEvent } from '../../../src/emulator/worlds/run-events.ts'
import type { ScenarioEvent } from '../../../src/emulator/worlds/scenario.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'

function open(options: Partial<EmulatorOptions> = {}) {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: noon, ...options })
  const seen: Exchange[] = []
  emulator.observe(exchange => seen.push(exchange))
  const call = (headers: readonly string[] = [], method = 'GET', target = '/v1/pets') => {
    const all = [
      'Authorization',
      'Bearer demo-free',
      ...(headers.includes('Host') ? [] : ['Host', 'localhost']),
    ]
    const rest = { body: undefined, scheme: 'http', client: '10.0.0.1', receivedAt: noon } as const
    emulator.handle({ method, target, headers: [...all, ...headers], ...rest })
    return seen.at(-1)
  }
  return { call, emulator }
}

it.each([
  [true, '192.0.2.1', '192.0.2.1'],
  [true, 'unknown', '10.0.0.1'],
  [undefined, '192.0.2.1', '10.0.0.1'],
])('with trustProxy %j, a call forwarded for %s is from %s', (trustProxy, forwarded, client) => {
  const { call } = open(trustProxy === undefined ? {} : { trustProxy })
  const sent = call(['X-Forwarded-For', forwarded])?.call
  expect(sent).toMatchObject({ method: 'GET', target: '/v1/pets', client, receivedAt: noon })
})

describe('an event', () => {
  const scenario = scenarioOf({
    events: [{ after: 1, change: { do: 'changeKey', key: 'demo-pro', revoked: true } }],
  })
  const happens = (refusal?: string) => {
    const notices: string[] = []
    const opened = open({ scenario, runEvent: () => refusal, onNotice: text => notices.push(text) })
    return { ...opened, notices }
  }

  it.each<[what: string, ...call: Parameters<ReturnType<typeof open>['call']>]>([
    ['a foreign host', ['Host', 'evil.test']],
    ['a preflight', [], 'OPTIONS'],
    ['another path', [], 'GET', '/elsewhere'],
  ])('counts no call with %s', (_, ...uncounted) => {
    const { call, emulator, notices } = happens()
    const before = emulator.changes()
    for (let n = 0; n < 3; n += 1) expect(call(...uncounted)?.trace.events).toBeUndefined()
    expect(call()?.trace.events).toBeUndefined()
    expect(call(...uncounted)?.trace.events).toBeUndefined()
    expect(emulator.changes() - before).toBe(0)
    expect(call()?.trace.events).toEqual(['changeKey demo-pro'])
    expect(emulator.changes() - before).toBe(1)
    expect(call()?.trace.events).toBeUndefined()
    expect(notices).toEqual([])
  })

  it('that cannot happen is reported, and not shown', () => {
    const { call, notices } = happens('The key is gone.')
    expect([call(), call()].map(exchange => exchange?.trace.events)).toEqual([undefined, undefined])
    expect(notices).toEqual(['The event changeKey demo-pro did not happen: The key is gone.'])
  })

  it.each<[change: ScenarioEvent['change'], name: string]>([
    [{ do: 'banKey', key: 'demo-pro' }, 'banKey demo-pro'],
    [{ do: 'deletePet', id: 7 }, 'deletePet 7'],
    [{ do: 'freezeClock' }, 'freezeClock'],
  ])('%j is named %s', (change, name) => {
    expect(nameEvent({ after: { calls: 1 }, key: undefined, change })).toBe(name)
  })

  it('needs what carries it out', () => {
    const { call } = open({ scenario })
    call()
    expect(() => call()).toThrow(new RangeError('This emulator cannot carry out the events of a scenario.'))
  })
})
