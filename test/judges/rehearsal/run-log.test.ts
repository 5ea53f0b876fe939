import { describe, expect, test } from 'vitest'
import type { RuleFields, ScenarioFile } from '../../../src/control/scenario/file.ts'
import { createCallLog } from '../../../src/judges/rehearsal/run-log.ts'
import { fly, type Pilot } from '../../support/flights.ts'
import { factsOf } from './runs.ts'

const usedUp: ScenarioFile = { keys: { 'demo-free': { plan: 'free', used: { minute: 60, day: 60 } } } }
const frozen: ScenarioFile = { ...usedUp, clock: { at: '2026-03-02T12:00:00Z', frozen: true } }
const fast: ScenarioFile = { ...usedUp, clock: { at: '2026-03-02T12:00:00Z', scale: 30 } }
const rule = (fields: RuleFields): ScenarioFile => ({ rules: [{ name: 'fault', ...fields }] })
const outage = rule({ when: { between: ['0s', '30s'] }, then: { status: 503 } })
const oneReset = rule({ when: { first: 1 }, then: { fault: 'reset' } })
const oneLate = rule({ when: { first: 1 }, then: { delay: '10s' } })
const oneWait = rule({ when: { first: 1 }, then: { status: 503, headers: { 'Retry-After': '20' } } })
const noCreates = rule({
  match: { operation: 'createPet' },
  when: { between: ['0s', '30s'] },
  then: { status: 503 },
})
const rex = { body: '{"name":"Rex","categoryId":1}', headers: ['Content-Type', 'application/json'] }

type Row = readonly [
  what: string,
  scenario: ScenarioFile,
  flight: (pilot: Pilot) => unknown,
  recovery: Readonly<Record<string, unknown>>,
]

describe('recovery', () => {
  test.each<Row>([
    ['is not needed by a client that is never refused', {}, ({ call }) => call(), { kind: 'unneeded' }],
    ['is not needed by a client without calls', usedUp, () => {}, { kind: 'unneeded' }],
    [
      'is not needed after a mistake of the client',
      {},
      ({ call }) => [call('GET /v1/pets?limit=0'), call('GET /v1/nothing')],
      { kind: 'unneeded' },
    ],
    [
      'is not needed after a call without a key, or with an unknown one',
      {},
      ({ call }) => [null, 'nobodys'].map(key => call('GET /v1/pets', { key })),
      { kind: 'unneeded' },
    ],
    [
      'is not needed after an error that the client asked for',
      {},
      ({ call }) => call('GET /v1/pets', { headers: ['Prefer', 'code=503'] }),
      { kind: 'unneeded' },
    ],
    [
      'comes with the first success, and is measured from the end of the wait',
      usedUp,
      ({ call, wait }) => [call(), wait(62_000), call(), wait(90_000), call()],
      { kind: 'recovered', afterMs: 2_250 },
    ],
    [
      'is measured from the end of a ban',
      { keys: { 'demo-free': { plan: 'free', used: { minute: 60, day: 60 }, strikes: 9 } } },
      ({ call, wait }) => [call(), wait(305_000), call()],
      { kind: 'recovered', afterMs: 5_250 },
    ],
    [
      'is measured from the last refusal',
      { keys: { 'demo-free': { plan: 'free', used: { minute: 60, day: 60 }, strikes: 8 } } },
      ({ call, wait }) => [call(), wait(10_000), call(), wait(301_000), call()],
      { kind: 'recovered', afterMs: 1_250 },
    ],
    [
      'takes the longest of several',
      { plans: { free: { minute: 1, day: 1_000 } } },
      ({ call, wait }) => [call(), call(), wait(65_000), call(), call(), wait(60_000), call()],
      { kind: 'recovered', afterMs: 5_250 },
    ],
    [
      'takes the longest of several that came late',
      { plans: { free: { minute: 1, day: 1_000 } } },
      ({ call, wait }) => [call(), call(), wait(65_000), call(), call(), wait(62_000), call()],
      { kind: 'recovered', afterMs: 5_250 },
    ],
    [
      'is needed after an injected error of any kind',
      rule({ when: { first: 1 }, then: { status: 400 } }),
      ({ call, wait }) => [call(), wait(1_500), call()],
      { kind: 'recovered', afterMs: 1_500 },
    ],
    [
      'comes with a success of the same operation, while the rule still acts on another call of it',
      rule({ match: { path: '/v1/pets/1' }, when: { between: ['0s', '30s'] }, then: { status: 503 } }),
      ({ call, wait }) => [call('GET /v1/pets/1'), wait(5_000), call('GET /v1/pets/2')],
      { kind: 'recovered' },
    ],
    [
      'is measured on the emulator’s clock, which is 30 times as fast',
      fast,
      ({ call, wait }) => [call(), wait(2_850), call()],
      { kind: 'recovered', afterMs: 3_000 },
    ],
    [
      'is measured from the end of Retry-After, whose whole seconds are long on a fast clock',
      { ...usedUp, clock: { at: '2026-03-02T12:00:00Z', scale: 50 } },
      ({ call, wait }) => [call(), wait(2_100), call()],
      { kind: 'recovered', afterMs: 17_500, clientMs: 350 },
    ],
    [
      'takes no time of a client that moves the clock too far',
      frozen,
      ({ call, change, wait }) => [call(), change({ do: 'advanceClock', by: '2h' }), wait(3), call()],
      { kind: 'recovered', afterMs: 7_140_000, clientMs: 3 },
    ],
    [
      'takes the longest time to move on, if no recovery came late',
      { ...frozen, plans: { free: { minute: 1, day: 1_000 } }, keys: {} },
      ({ call, change }) => {
        call()
        for (const by of ['2h', '61s'] as const) [call(), change({ do: 'advanceClock', by }), call()]
      },
      { kind: 'recovered', afterMs: 7_140_000, clientMs: 0 },
    ],
    [
      'takes one that came late before one that came in time, though the clock moved further',
      { ...frozen, plans: { free: { minute: 1, day: 1_000 } }, keys: {} },
      ({ call, change, wait }) => {
        call()
        call()
        change({ do: 'advanceClock', by: '2h' })
        call()
        call()
        wait(5_000)
        change({ do: 'advanceClock', by: '65s' })
        call()
      },
      { kind: 'recovered', afterMs: 5_000, clientMs: 5_000 },
    ],
    [
      'needs no wait if the clock was moved',
      frozen,
      ({ call, change }) => [call(), change({ do: 'advanceClock', by: '61s' }), call()],
      { kind: 'recovered', afterMs: 1_000 },
    ],
    [
      'is missing if the client ends during the wait',
      usedUp,
      ({ call, wait }) => [call(), wait(50_000)],
      { kind: 'ended-early', what: '429 rate_limit_exceeded', missingMs: 9_750 },
    ],
    [
      'is missing if the client ends at once',
      usedUp,
      ({ call }) => call(),
      { kind: 'ended-early', missingMs: 59_750 },
    ],
    [
      'is missing if the client ends although the frozen clock was moved, which shows that it may be',
      frozen,
      ({ call, change }) => [call(), change({ do: 'advanceClock', by: '10s' })],
      { kind: 'ended-early', missingMs: 50_000 },
    ],
    [
      'is missing if the client makes no further call',
      usedUp,
      ({ call, wait }) => [call(), wait(70_000)],
      { kind: 'stopped', what: '429 rate_limit_exceeded' },
    ],
    [
      'is missing if the client calls again, and fails',
      usedUp,
      ({ call, wait }) => [call(), wait(60_000), call('GET /v1/pets?limit=0')],
      { kind: 'failed-again', what: '400', calls: 1 },
    ],
    [
      'of another key does not count',
      usedUp,
      ({ call, wait }) => [call(), wait(60_000), call('GET /v1/pets', { key: 'demo-pro' })],
      { kind: 'stopped' },
    ],
    [
      'is not judged if the clock stood still',
      frozen,
      ({ call, wait }) => [call(), wait(60_000), call()],
      { kind: 'unjudged', reason: 'the clock stood still, so the wait never ended' },
    ],
    [
      'from an outage is measured from its end',
      outage,
      ({ call, wait }) => [call(), wait(20_000), call(), wait(14_000), call()],
      { kind: 'recovered', afterMs: 4_000 },
    ],
    [
      'from an outage is missing if the client gives up during it',
      outage,
      ({ call, wait }) => [call(), wait(1_000), call(), wait(1_000)],
      { kind: 'ended-early', what: '503 from the rule fault', missingMs: 28_000 },
    ],
    [
      'from an outage of one operation is shown by no other one while it lasts',
      noCreates,
      ({ call, wait }) => [call('POST /v1/pets', rex), wait(1_000), call(), wait(1_000)],
      { kind: 'ended-early' },
    ],
    [
      'from an outage of one operation is shown by another one when it is over',
      noCreates,
      ({ call, wait }) => [call('POST /v1/pets', rex), wait(31_000), call()],
      { kind: 'recovered', afterMs: 1_000 },
    ],
    [
      'from an outage without an end is not judged',
      rule({ then: { status: 503 } }),
      ({ call, wait }) => [call(), wait(1_000), call()],
      { kind: 'unjudged', reason: 'the rule fault never ends' },
    ],
    [
      'from a broken response is measured from that call',
      oneReset,
      ({ call, wait }) => [call(), wait(1_500), call()],
      { kind: 'recovered', afterMs: 1_500 },
    ],
    [
      'from a broken response is missing if the client makes no further call',
      oneReset,
      ({ call }) => call(),
      { kind: 'stopped', what: 'reset from the rule fault' },
    ],
    [
      'from a body that is not JSON is needed too',
      rule({ when: { first: 1 }, then: { fault: 'malformed' } }),
      ({ call }) => call(),
      { kind: 'stopped', what: 'malformed from the rule fault' },
    ],
    [
      'counts no success that the client did not wait for',
      oneLate,
      ({ call, wait, close }) => [call(), wait(2_000), close(1)],
      { kind: 'stopped', what: 'no response in time from the rule fault' },
    ],
    [
      'is not needed after a late response',
      oneLate,
      ({ call, wait }) => [call(), wait(11_000)],
      { kind: 'unneeded' },
    ],
    [
      'from an injected wait is measured from its end',
      oneWait,
      ({ call, wait }) => [call(), wait(23_000), call()],
      { kind: 'recovered', afterMs: 3_000 },
    ],
    [
      'from an injected wait is on the emulator’s clock',
      { ...oneWait, clock: { at: '2026-03-02T12:00:00Z', scale: 10 } },
      ({ call, wait }) => [call(), wait(21_000), call()],
      { kind: 'recovered', afterMs: 10_000 },
    ],
    [
      'comes at once if the client retries too early, and succeeds',
      oneWait,
      ({ call, wait }) => [call(), wait(1_000), call()],
      { kind: 'recovered', afterMs: 0 },
    ],
    [
      'from a revoked key is not judged',
      { keys: { 'demo-free': { plan: 'free', revoked: true } } },
      ({ call }) => call(),
      { kind: 'unjudged', reason: 'the key was rejected, and nothing says when it works again' },
    ],
    [
      'is not needed after a restart of the sandbox',
      usedUp,
      ({ call, change }) => [call(), change({ do: 'useScenario', scenario: 'free-plan' }), call()],
      { kind: 'unneeded' },
    ],
  ])('%s', (_, scenario, flight, recovery) => {
    expect(factsOf(scenario, flight).recovery).toMatchObject(recovery)
  })
})

describe('counts', () => {
  test('refused calls, and the calls of a client that knew it had to wait', () => {
    const facts = factsOf(usedUp, ({ call, wait }) => {
      call()
      wait(1_000)
      call()
      call('GET /v1/pets?limit=5')
      wait(60_000)
      call()
    })
    expect(facts).toMatchObject({ calls: 4, refused: 3, early: 2 })
  })

  test('a call that leads to a ban once', () => {
    const facts = factsOf(usedUp, ({ repeat }) => repeat(10))
    expect(facts).toMatchObject({ calls: 10, refused: 10, early: 9 })
  })

  test('injected waits apart from refusals', () => {
    const facts = factsOf(oneWait, ({ call, wait }) => [call(), wait(1_000), call()])
    expect(facts).toMatchObject({ calls: 2, refused: 0, early: 1 })
  })

  test('no call that does not reach the API', () => {
    expect(factsOf({}, ({ call }) => [call('GET /health'), call()])).toMatchObject({
      calls: 1,
    })
  })

  test('no call that another client may have made', () => {
    const facts = factsOf(usedUp, ({ call, close, wait }) => {
      call()
      close(1)
      wait(1_000)
      call('GET /v1/pets', { connection: 2 })
    })
    expect(facts).toMatchObject({ early: 0 })
  })
})

describe('the log of calls', () => {
  /** The last calls of a flight that reached the API. */
  function logOf(scenario: ScenarioFile, flight: (pilot: Pilot) => unknown) {
    const log = createCallLog(() => text => text.replace('999', '…'))
    fly(scenario, flight, log.add)
    return log.calls()
  }

  test('says what failed and how, without secrets', () => {
    const calls = logOf(oneReset, ({ call }) => [
      call(),
      call('GET /health'),
      call(),
      call('GET /v1/pets/999'),
    ])
    expect(calls.map(({ what, detail, hasFailed }) => [what, detail, hasFailed])).toEqual([
      ['GET /v1/pets → 200', 'reset', true],
      ['GET /v1/pets → 200', '', false],
      ['GET /v1/pets/… → 404', 'pet_not_found', true],
    ])
  })

  test('keeps the last 200', () => {
    const calls = logOf({}, ({ repeat, call }) =>
      repeat(203, () => call('GET /v1/pets', { key: 'demo-pro' })),
    )
    expect([calls.length, calls[0]?.request]).toEqual([200, 4])
  })
})
