import { expect, test } from 'vitest'
import type { EventFields, ScenarioFields } from '../../src/generated/scenario-fields.ts'
import { describeDoors, type OpenDoor, type TestRequest } from '../support/doors.ts'
import { scenarioOf } from '../support/scenarios.ts'

const withKey = (key: string): TestRequest => ({ key })
const change = (key: string, fields: object) => ({ do: 'changeKey', key, ...fields }) as const

/** One call after the other: its key, or a time that passes before the next one. */
async function play({ send, advance }: OpenDoor, steps: readonly (string | number)[]): Promise<number[]> {
  const statuses: number[] = []
  for (const step of steps) {
    if (typeof step === 'number') advance(step)
    else statuses.push((await send(withKey(step))).status)
  }
  return statuses
}

describeDoors('events', open => {
  const revokes = (after: EventFields['after'], key?: string): EventFields => ({
    after,
    ...(key !== undefined && { key }),
    change: change('demo-free', { revoked: true }),
  })

  test.each<[string, readonly EventFields[], readonly (string | number)[], readonly number[]]>([
    ['after a number of calls', [revokes(2)], ['demo-free', 'demo-pro', 'demo-free'], [200, 200, 401]],
    ['after "2 calls"', [revokes('2 calls')], ['demo-free', 'demo-free', 'demo-free'], [200, 200, 401]],
    [
      'calls of one key',
      [revokes(2, 'demo-free')],
      ['demo-pro', 'demo-free', 'demo-pro', 'demo-free', 'demo-free'],
      [200, 200, 200, 200, 401],
    ],
    ['refused calls count too', [revokes(2)], ['nobody', 'nobody', 'demo-free'], [401, 401, 401]],
    ['after a time', [revokes('20s')], ['demo-free', 19_999, 'demo-free', 1, 'demo-free'], [200, 200, 401]],
    [
      'each happens once',
      [revokes(1), { after: 2, change: change('demo-free', { revoked: false }) }],
      ['demo-free', 'demo-free', 'demo-free', 'demo-free'],
      [200, 401, 200, 200],
    ],
    [
      'an added key works for the call that brings it about',
      [{ after: 1, change: { do: 'addKey', key: 'late', plan: 'free' } }],
      ['late', 'late'],
      [401, 200],
    ],
    [
      'a plan with fewer calls',
      [{ after: 2, change: change('demo-pro', { limits: { minute: 3 } }) }],
      ['demo-pro', 'demo-pro', 'demo-pro', 'demo-pro'],
      [200, 200, 200, 429],
    ],
    [
      'a ban',
      [{ after: 1, change: { do: 'banKey', key: 'demo-free', for: '30s' } }],
      ['demo-free', 'demo-free', 30_000, 'demo-free'],
      [200, 429, 200],
    ],
    [
      'a rule',
      [{ after: 1, change: { do: 'addRule', rule: { then: { status: 503 }, times: 1 } } }],
      ['demo-free', 'demo-free', 'demo-free'],
      [200, 503, 200],
    ],
    [
      'the clock',
      [{ after: 2, change: { do: 'advanceClock', by: '60s' } }],
      ['one', 'one', 'one'],
      [200, 429, 200],
    ],
  ])('%s', async (_, events, steps, expected) => {
    const keys: ScenarioFields<never>['keys'] = { one: { plan: 'free', limits: { minute: 1 } } }
    const door = await open({ scenario: scenarioOf({ events, keys }) })
    expect(await play(door, steps)).toEqual(expected)
  })

  test('a sandbox has its own counts', async () => {
    const door = await open({ scenario: scenarioOf({ events: [revokes(2)] }) })
    const steps = ['demo-free+a', 'demo-free+b', 'demo-free+a', 'demo-free+b', 'demo-free+a']
    expect(await play(door, steps)).toEqual([200, 200, 200, 200, 401])
  })

  test('preflights do not count', async () => {
    const door = await open({ scenario: scenarioOf({ events: [revokes(1)] }) })
    await door.send({ method: 'OPTIONS' })
    expect(await play(door, ['demo-free', 'demo-free'])).toEqual([200, 401])
  })

  test('an event that cannot happen is a notice, and the call is answered', async () => {
    const notices: string[] = []
    const change = { do: 'deletePet', id: 7 } as const
    const door = await open({
      scenario: scenarioOf({
        events: [
          { after: 1, change },
          { after: 2, change },
        ],
      }),
      onNotice: text => notices.push(text),
    })
    expect(await play(door, ['demo-free', 'demo-free', 'demo-free'])).toEqual([200, 200, 200])
    expect(notices).toEqual(['The event deletePet 7 did not happen: there is no pet with the id 7.'])
  })
})
