import { describe, expect, it } from 'vitest'
import { createEmulator, type EmulatorOptions } from '../../../src/emulator/emulator.ts'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import { nameEvent } from '../../../src/emulator/worlds/run-events.ts'
import type { ScenarioEvent } from '../../../src/emulator/worlds/scenario.ts'
import { deleteKey } from '../../../src/emulator/worlds/world.ts'
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

describe('whether the body of a call can matter', () => {
  const hour = 3_600_000
  const plan = 'free' as const
  const scenario = scenarioOf({
    clock: {},
    keys: {
      team: { plan },
      'team+x': { plan, expires: '2026-03-02T13:00:00Z' },
      gone: { plan, revoked: true },
      soon: { plan, expires: '2026-03-02T13:00:00Z' },
    },
  })
  interface Head {
    readonly key?: string
    readonly method?: string
    readonly target?: string
    readonly headers?: readonly string[]
    readonly receivedAt?: number
  }
  const openFor = () => {
    const { emulator } = open({ scenario, trustProxy: true })
    const { sandboxes } = emulator
    const uses = ({ key, method = 'POST', target = '/v1/pets', headers = [], receivedAt = noon }: Head) => {
      const sent = [
        ...['Host', 'localhost', ...headers],
        ...(key === undefined ? [] : ['Authorization', `Bearer ${key}`]),
      ]
      return emulator.usesBody({ method, target, headers: sent, scheme: 'http', client: 'a', receivedAt })
    }
    return { sandboxes, uses }
  }

  it.each<[what: string, head: Head, uses: boolean]>([
    ['a valid key', { key: 'team' }, true],
    ['a valid key of a sandbox that is not there yet', { key: 'team+w1' }, true],
    ['a valid key of the default sandbox', { key: 'team+default' }, true],
    ['a valid key with a plus', { key: 'team+x' }, true],
    ['no key', {}, false],
    ['an unknown key', { key: 'nobody' }, false],
    ['an unknown key of a sandbox', { key: 'nobody+w1' }, false],
    ['a key that begins like a valid one', { key: 'team1' }, false],
    ['a valid key with the wrong name of a sandbox', { key: 'team+feature/login' }, false],
    ['a revoked key', { key: 'gone' }, false],
    ['a revoked key of a sandbox', { key: 'gone+w1' }, false],
    ['a key that expired', { key: 'soon', receivedAt: noon + hour }, false],
    ['a key of a sandbox that expired', { key: 'soon+w1', receivedAt: noon + hour }, false],
    ['a preflight', { key: 'team', method: 'OPTIONS' }, false],
    ['a path outside the API', { key: 'team', target: '/elsewhere' }, false],
    ['a host that is not allowed', { key: 'team', target: 'http://evil.test/v1/pets' }, false],
    ['one that a proxy names', { key: 'team', headers: ['X-Forwarded-Host', 'evil.test'] }, false],
  ])('%s: %j: %j', (_, head, expected) => {
    const { sandboxes, uses } = openFor()
    expect(uses(head)).toBe(expected)
    // Asking makes no sandbox.
    expect(sandboxes.names()).toEqual(['default'])
  })

  it('depends on the keys and the clock of the sandbox, if it is there', () => {
    const { sandboxes, uses } = openFor()
    for (const name of ['w1', 'x']) sandboxes.startAnew(name, noon)
    const worker = sandboxes.get('w1')
    worker?.keys.delete('team')
    expect(['team+w1', 'team+w2', 'soon+w1', 'soon+w2'].map(key => uses({ key }))).toEqual([
      false,
      true,
      true,
      true,
    ])
    const later = (name: string) => {
      const world = sandboxes.get(name)
      if (world !== undefined) world.clock = { ...world.clock, at: world.clock.at + hour }
    }
    later('w1')
    expect(['soon+w1', 'soon+w2', 'soon', 'team+x'].map(key => uses({ key }))).toEqual([
      false,
      true,
      true,
      true,
    ])
    // The whole key has precedence, also over the sandbox x.
    later('default')
    expect(['soon', 'team+x'].map(key => uses({ key }))).toEqual([false, false])
  })

  it('does not matter for a whole key that was deleted: it is no key of a sandbox, as for the call itself', () => {
    const { sandboxes, uses } = openFor()
    deleteKey(sandboxes.default, 'team+x')
    expect(uses({ key: 'team+x' })).toBe(false)
  })

  it('is asked at a time of the door, which no clock follows back', () => {
    const { sandboxes, uses } = openFor()
    sandboxes.note(noon + hour)
    expect(uses({ key: 'soon', receivedAt: noon })).toBe(false)
  })
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
