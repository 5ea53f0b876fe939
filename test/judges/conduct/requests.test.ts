import { describe, expect, test } from 'vitest'
import type { ScenarioFile, ThenFields } from '../../../src/control/scenario/file.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { createSecrets } from '../../../src/service/keys/mask.ts'
import { fly, idsOf, type Pilot, watchConduct } from '../../support/flights.ts'
import { scenarioOf } from '../../support/scenarios.ts'

type Row = readonly [
  what: string,
  flight: (pilot: Pilot) => void,
  found: readonly string[],
  scenario?: ScenarioFile,
]

const json = { headers: ['Content-Type', 'application/json'] }
const rex = { ...json, body: '{"name":"Rex","categoryId":1}' }
const removed: ScenarioFile = { clock: { at: '2030-12-05T00:00:00Z' } }
const from = (agent: string) => ({ headers: ['User-Agent', agent] })

const check = (row: Row) => idsOf(fly(row[3] ?? {}, row[1]))

describe('deprecation and removal', () => {
  test.for<Row>([
    [
      'a deprecated operation',
      ({ call }) => [call('GET /v1/pets/1'), call('GET /v1/pets/999')],
      ['deprecated-operation ×2'],
    ],
    ['its replacement', ({ call }) => call('GET /v1/pets?status=sold'), []],
    ['after its removal', ({ call }) => call('GET /v1/pets/1'), ['removed-operation'], removed],
    [
      'during a brownout it is not removed yet',
      ({ call }) => call('GET /v1/pets/1'),
      ['deprecated-operation'],
      { deprecation: { brownouts: [{ from: '2026-03-02T00:00:00Z', to: '2026-03-03T00:00:00Z' }] } },
    ],
    [
      'a rule’s response instead',
      ({ call }) => call('GET /v1/pets/1'),
      [],
      { rules: [{ then: { status: 500 } }] },
    ],
  ])('%s', row => {
    expect(check(row)).toEqual([...row[2]])
  })

  test('each call site has a count', () => {
    const { findings } = fly({}, ({ call, repeat }) => {
      repeat(14, () => call('GET /v1/pets/1', from('shop/1.2')))
      call('GET /v1/pets/2', { headers: ['User-Agent', 'x', 'Referer', 'http://localhost/pets'] })
      call('GET /v1/pets/3', { headers: ['User-Agent', 'x', 'X-Call-Site', 'src/pet.ts:12'] })
      call('GET /v1/pets/4')
    })
    const end = 'removal on 2030-12-05'
    expect(findings[0]?.evidence.map(({ what, detail }) => [what, detail])).toEqual([
      ['GET /v1/pets/1 → 200', `one of 14 calls from shop/1.2 (user-agent); ${end}`],
      ['GET /v1/pets/2 → 200', `once, from http://localhost/pets (referer); ${end}`],
      ['GET /v1/pets/3 → 200', `once, from src/pet.ts:12 (x-call-site); ${end}`],
      ['GET /v1/pets/4 → 200', `once, from an unnamed client; ${end}`],
    ])
    expect(findings[0]).toMatchObject({ count: 17, severity: 'warning' })
  })
})

describe('mistakes in a call', () => {
  test.for<Row>([
    ['an invalid body once', ({ call }) => call('POST /v1/pets', json), []],
    [
      'an invalid body repeated unchanged',
      ({ call, repeat }) => repeat(3, () => call('POST /v1/pets', json)),
      ['invalid-request-repeated'],
    ],
    ['and again, mended', ({ call }) => [call('POST /v1/pets', json), call('POST /v1/pets', rex)], []],
    ['a valid call again and again', ({ call, repeat }) => repeat(5, () => call('POST /v1/pets', rex)), []],
    [
      'a limit out of range, a wrong path, a wrong method',
      ({ call, repeat }) =>
        repeat(3, () => [call('GET /v1/pets?limit=0'), call('GET /v1/pet'), call('DELETE /v1/pets')]),
      ['invalid-request-repeated ×3'],
    ],
    [
      'an unknown pet may exist later',
      ({ call, repeat }) => repeat(3, () => call('GET /v1/pets/999')),
      ['deprecated-operation ×3'],
    ],
    [
      'the same invalid key',
      ({ call, repeat }) => repeat(3, () => call('GET /v1/pets', { key: 'nobodys' })),
      ['invalid-request-repeated'],
    ],
    [
      'two invalid keys',
      ({ call }) => [call('GET /v1/pets', { key: 'one' }), call('GET /v1/pets', { key: 'two' })],
      [],
    ],
    ...[400, 401, 404, 405, 410, 413, 500].map(
      (status): Row => [
        `a rule’s ${status}`,
        ({ repeat, call }) => repeat(3, () => call('GET /v1/stores')),
        [],
        { rules: [{ then: { status } }] },
      ],
    ),
    [
      'a removal that a rule made up',
      ({ repeat, call }) => repeat(3, () => call('GET /v1/pets/1')),
      [],
      { rules: [{ then: { status: 410 } }] },
    ],
    [
      'a 404 that each call asked for',
      ({ repeat, call }) => repeat(3, () => call('GET /v1/pets', { headers: ['Prefer', 'code=404'] })),
      [],
    ],
    [
      'an unknown parameter',
      ({ call }) => [call('GET /v1/pets?limt=5'), call('GET /v1/pets?limt=9'), call('GET /v1/pets?page=2')],
      ['unknown-parameter ×3'],
    ],
    [
      'an unknown field',
      ({ call }) => call('POST /v1/pets', { ...json, body: '{"name":"Rex","categoryId":1,"age":3}' }),
      ['unknown-field'],
    ],
    ['no key', ({ call }) => call('GET /v1/pets', { key: null }), ['missing-key']],
    [
      'a key only in the query',
      ({ call }) => call('GET /v1/pets?api_key=demo-free', { key: null }),
      ['key-in-query'],
    ],
    [
      'a key in the query and in the header',
      ({ call }) => call('GET /v1/pets?x=demo-pro'),
      ['key-in-query', 'unknown-parameter'],
    ],
    [
      'calls outside the API',
      ({ call }) => [call('GET /favicon.ico', { key: null }), call('OPTIONS /v1/pets', { key: null })],
      [],
    ],
  ])('%s', row => {
    expect(check(row)).toEqual([...row[2]])
  })

  test('a name of --mask is no key', () => {
    const secrets = createSecrets(['tenant'])
    const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: 0, secrets })
    const report = watchConduct(emulator)
    const headers = ['Host', 'localhost', 'Authorization', 'Bearer demo-free']
    const call = { method: 'GET', headers, body: undefined, scheme: 'http', client: '127.0.0.1' } as const
    emulator.handle({ ...call, target: '/v1/pets?tenant=acme-corporation', receivedAt: 0 })
    expect(report().findings.map(({ id }) => id)).toEqual(['unknown-parameter'])
  })

  test('a parameter comes with a suggestion', () => {
    const { findings } = fly({}, ({ call }) => [call('GET /v1/pets?limt=5'), call('GET /v1/pets?limt=9')])
    expect(findings[0]?.evidence).toEqual([
      expect.objectContaining({ detail: '"limt", 2 times; did you mean limit?', count: 2 }),
    ])
  })
})

describe('polling', () => {
  const poll =
    (times: number, gapMs: number, key = 'demo-free', line?: string) =>
    (pilot: Pilot) =>
      pilot.repeat(times, () => pilot.call(line, { key }), gapMs)

  test.for<Row>([
    ['every 5 s, which is too much for a day of the Free plan', poll(11, 5_000), ['polling-too-fast']],
    ['ten calls are not yet polling', poll(10, 5_000), []],
    ['every 90 s', poll(20, 90_000), []],
    ['every 5 s on a large plan', poll(20, 5_000, 'demo-enterprise'), []],
    ['a loop is no polling', poll(40, 100), []],
    [
      'the irregular calls of a person',
      ({ call, wait }) => {
        for (const gap of [900, 4_000, 700, 12_000, 2_000, 600, 9_000, 800, 700, 3_000, 5_000]) {
          call()
          wait(gap)
        }
      },
      [],
    ],
    [
      'pages at a steady pace',
      ({ call, wait }) => {
        for (let limit = 1; limit < 20; limit += 1) {
          call(`GET /v1/pets?limit=${limit}&status=sold`)
          wait(1_000)
        }
      },
      [],
    ],
  ])('%s', row => {
    expect(check(row).filter(id => !/^(?:quota-peak|page)/.test(id))).toEqual([...row[2]])
  })

  test('the detail has the pace and the limit of the plan', () => {
    const { findings } = fly({}, poll(12, 900, 'demo-free'))
    const [{ evidence: [first] = [] } = {}] = findings
    expect(first?.detail).toBe('about every 900 ms: 66 calls a minute, but the plan free allows 60')
  })
})

describe('pages', () => {
  const [second, third] = ['GET /v1/pets?cursor=YWZ0ZXI6MjA', 'GET /v1/pets?cursor=YWZ0ZXI6NDA']

  test.for<Row>([
    ['a walk', ({ call }) => [call(), call(second), call(third)], []],
    [
      'two parallel walks',
      ({ call }) => [call(), call(), call(second), call(second), call(third), call(third)],
      [],
    ],
    ['a walk again', ({ call, repeat }) => repeat(3, () => [call(), call(second)]), []],
    [
      'a walk that goes back',
      ({ call }) => [call(), call(second), call(third), call(second)],
      ['page-asked-again'],
    ],
    [
      'a page again, after a pet was created',
      ({ call }) => [call(), call(second), call('POST /v1/pets', rex), call(second)],
      [],
    ],
    [
      'a larger limit each time',
      ({ call }) => [10, 20, 30, 40].map(limit => call(`GET /v1/pets?limit=${limit}`)),
      ['page-asked-again'],
    ],
    [
      'a larger limit each time, by fetch, which alternates between two connections',
      ({ call, wait }) =>
        [5, 10, 15, 20, 25, 30, 35, 40].map((limit, at) => {
          wait(at === 1 ? 20 : 5)
          return call(`GET /v1/pets?limit=${limit}`, { connection: at % 2 })
        }),
      ['page-asked-again ×3'],
    ],
    [
      'a larger limit each time, though each list is whole',
      ({ call }) => [40, 50, 60, 70, 80].map(limit => call(`GET /v1/pets?status=sold&limit=${limit}`)),
      [],
    ],
    ['a larger limit once', ({ call }) => [10, 20].map(limit => call(`GET /v1/pets?limit=${limit}`)), []],
  ])('%s', row => {
    expect(check(row)).toEqual([...row[2]])
  })
})

describe('the quota', () => {
  test.each<
    [
      what: string,
      scenario: ScenarioFile,
      flight: (pilot: Pilot) => void,
      peak: object,
      smallest: string | null,
    ]
  >([
    ['a few calls', {}, ({ repeat }) => repeat(5), { used: 5, limit: 60, wanted: 5 }, 'free'],
    [
      'a little more than a plan has',
      { bans: 'off' },
      ({ repeat, call, open }) => {
        let connection = 0
        open(...Array.from({ length: 65 }).keys())
        repeat(64, () => call('GET /v1/pets', { connection: ++connection }))
      },
      { used: 60, limit: 60, wanted: 64 },
      'pro',
    ],
    [
      'repetitions of refused calls count once',
      { bans: 'off' },
      ({ repeat }) => repeat(400),
      { used: 60, limit: 60, wanted: 61 },
      'pro',
    ],
    [
      'minutes in turn',
      {},
      ({ repeat }) => repeat(60, undefined, 2_000),
      { used: 30, limit: 60, wanted: 30 },
      'free',
    ],
    [
      'usage that the scenario starts with',
      { keys: { 'demo-free': { plan: 'free', used: { minute: 57 } } } },
      ({ repeat }) => repeat(3),
      { used: 3, start: 57, limit: 60, wanted: 3 },
      'free',
    ],
    [
      'a plan that is larger than necessary',
      { key: 'demo-pro' },
      ({ repeat, call }) => repeat(100, () => call('GET /v1/pets', { key: 'demo-pro' })),
      { used: 100, limit: 300, wanted: 100 },
      'pro',
    ],
    [
      'more than any plan has',
      {
        bans: 'off',
        plans: {
          business: { minute: 10, day: 10 },
          enterprise: { minute: 10, day: 10 },
          pro: { minute: 10, day: 10 },
        },
      },
      ({ repeat, call, open }) => {
        let connection = 0
        open(...Array.from({ length: 65 }).keys())
        repeat(64, () => call('GET /v1/pets', { connection: ++connection }))
      },
      { used: 60, limit: 60, wanted: 64 },
      null,
    ],
  ])('%s', (_, scenario, flight, peak, smallest) => {
    const { usage } = fly(scenario, flight)
    expect(usage).toHaveLength(1)
    expect(usage[0]).toMatchObject({ peak: { minute: peak }, smallestPlan: smallest })
  })

  test('the peak is shown besides what was used at the start', () => {
    const used = { keys: { 'demo-free': { plan: 'free', used: { minute: 57 } } } }
    const shown = (scenario: ScenarioFile) => fly(scenario, ({ repeat }) => repeat(3)).facts[0]?.value
    expect(shown(used)).toContain('at peak 3 of 60 (besides 57 at the start) in a minute')
    expect(shown({})).toContain('at peak 3 of 60 in a minute')
  })

  test('with several sandboxes, the fullest is reported', () => {
    const { usage } = fly({}, ({ repeat, call }) => {
      repeat(9)
      repeat(20, () => call('GET /v1/pets', { key: 'demo-free+two' }))
    })
    expect(usage).toEqual([
      expect.objectContaining({
        key: 'demo-f…',
        calls: 29,
        peak: expect.objectContaining({ minute: { used: 20, limit: 60, start: 0, wanted: 20 } }),
      }),
    ])
  })
})

test('of many keys, the busiest are listed', () => {
  const names = Array.from({ length: 30 }, (_, index) => `key-${index + 10}`)
  const keys = Object.fromEntries(names.map(name => [name, { plan: 'free', limits: { minute: 1, day: 10 } }]))
  const report = fly({ keys }, ({ call }) => names.map(key => [call('GET /v1/pets', { key }), key]))
  expect(report.usage).toHaveLength(30)
  expect(report.facts).toHaveLength(11)
  expect(report.facts.at(-1)).toEqual({ name: '20 more keys', value: '20 calls in all' })
  expect(report.findings).toMatchObject([{ id: 'quota-peak', count: 30 }])
  expect(report.findings[0]?.evidence).toHaveLength(10)
})

test('no key is shown in full, wherever the client sends it', () => {
  const report = fly({}, ({ call }) => {
    call('GET /v1/pets?api_key=demo-free', { key: null })
    call('GET /v1/pets?demo-pro=1&x=demo-pro')
    call('GET /v1/pets/1', { headers: ['User-Agent', 'demo-free', 'X-Call-Site', 'demo-free'] })
    call('GET /v1/pets/1', { headers: ['X-Call-Site', 'by demo-enterprise+two'], key: 'demo-enterprise+two' })
    call('GET /v1/demo-free')
    call('GET /v1/demo-free')
  })
  const told = JSON.stringify(report)
  expect(told).not.toMatch(/demo-free|demo-pro\b|demo-enterprise/)
  expect(told).toContain(createSecrets().maskKey('demo-free'))
})

describe('a creation whose reply is late, or never comes', () => {
  const slow = (then: ThenFields): ScenarioFile => ({
    rules: [{ match: { operation: 'createPet' }, when: { first: 1 }, then }],
  })
  const [late, hung] = [slow({ delay: '300ms' }), slow({ fault: 'hang' })]
  test.for<Row>([
    ['a client that closed its end, and still reads, wants two pets', twice(400), [], late],
    ['a client that gave up creates the pet again', twice(100), ['duplicate-create'], late],
    ['a client that gave up waiting creates the pet again', twice(100), ['duplicate-create'], hung],
    [
      'a client that still waits on an open connection wants two pets',
      ({ call, wait }) => {
        call('POST /v1/pets', { ...rex, connection: 1 })
        wait(1_000)
        call('POST /v1/pets', { ...rex, connection: 2 })
      },
      [],
      hung,
    ],
  ])('%s', row => {
    expect(check(row)).toEqual([...row[2]])
  })

  function twice(pauseMs: number): (pilot: Pilot) => void {
    return ({ call, wait, close }) => {
      call('POST /v1/pets', { ...rex, connection: 1 })
      wait(10)
      close(1)
      wait(pauseMs)
      call('POST /v1/pets', { ...rex, connection: 2 })
    }
  }
})
