import { describe, expect, test } from 'vitest'
import type { ScenarioFile, Step } from '../../../src/control/scenario/file.ts'
import { breaksFile } from '../../../src/judges/search/breaks-file.ts'
import { reportSearch } from '../../../src/judges/search/report.ts'
import { failureOf, type Sought } from '../../../src/judges/search/runs.ts'
import { scenarioOf } from '../../../src/judges/search/scenario-of.ts'
import { smallerSituations } from '../../../src/judges/search/search.ts'
import { type ClientCall, showSituation } from '../../../src/judges/search/show-situation.ts'
import { type DrawnSituation, effective, nameOf } from '../../../src/judges/search/situation.ts'
import { fly } from '../../support/flights.ts'

const call = 'GET /v1/pets'
function clientCall(line: string, body?: string, type = 'application/json'): ClientCall {
  const [method = '', target = ''] = line.split(' ')
  return { method, target, body, type: body === undefined ? undefined : type, hasKey: true }
}

const served = { call, expect: { status: 200 } }
const refusedFor = (seconds: number | true) => ({
  call,
  expect: { status: 429, headers: { 'Retry-After': seconds } },
})
const used = (fields: object) => ({ keys: { 'demo-free': { used: fields } } })
const banned = (seconds: number) => ({
  events: [{ after: 1, change: { do: 'banKey', key: 'demo-free', for: `${seconds}s` } }],
})
const failing = { nth: 1, times: 2, then: { status: 503, headers: { 'Retry-After': 1 } } } as const
const empty = { nth: 4, times: 2, then: { fault: 'empty' } } as const

/** More than any situation needs. */
const lists = Array.from({ length: 120 }, () => clientCall('GET /v1/pets'))

/** Each part as a scenario, and the walkthrough that shows it. */
const written: readonly (readonly [DrawnSituation, object, readonly Step[]])[] = [
  [{ plan: 'pro' }, { keys: { 'demo-free': { plan: 'pro' } } }, [{ ...served, repeat: 120 }]],
  [{ minute: 3 }, used({ minute: 57 }), [{ ...served, repeat: 3 }, refusedFor(60)]],
  [{ day: 2 }, used({ day: 998 }), [{ ...served, repeat: 2 }, refusedFor(86_400)]],
  [
    { plan: 'business', minute: 0, day: 2 },
    { keys: { 'demo-free': { plan: 'business', used: { minute: 1_000, day: 99_998 } } } },
    [refusedFor(60)],
  ],
  [{ minute: 0, banAfter: 3 }, { ...used({ minute: 60 }), bans: { after: 3 } }, [refusedFor(60)]],
  [
    { minute: 1, retryAfter: 'http-date', window: 7 },
    {
      ...used({ minute: 59 }),
      limits: { window: 'calendar', retryAfter: 'http-date' },
      clock: { at: '2026-03-02T09:00:53Z' },
    },
    [served, refusedFor(true)],
  ],
  [
    { day: 0, window: 59 },
    { ...used({ day: 1_000 }), limits: { window: 'calendar' }, clock: { at: '2026-03-02T23:59:01Z' } },
    [refusedFor(59)],
  ],
  [{ clock: -3, ban: 2 }, { clock: { offset: '-3m' }, ...banned(2) }, [served, refusedFor(2)]],
  [{ ban: 60 }, banned(60), [served, refusedFor(60)]],
  [
    { fault: failing },
    { rules: [{ then: failing.then, times: 2 }] },
    [{ call, repeat: 2, expect: { status: 503, headers: { 'Retry-After': 1 } } }],
  ],
  [
    { fault: { nth: 3, times: 1, then: { fault: 'reset' } } },
    { rules: [{ when: { after: 2 }, then: { fault: 'reset' }, times: 1 }] },
    [
      { ...served, repeat: 2 },
      { call, expect: { fails: 'reset' } },
    ],
  ],
  [
    { fault: { nth: 1, times: 1, then: { fault: 'malformed' } } },
    { rules: [{ then: { fault: 'malformed' }, times: 1 }] },
    [{ call, expect: { fails: 'malformed' } }],
  ],
  [
    { minute: 2, fault: empty },
    { ...used({ minute: 58 }), rules: [{ when: { after: 3 }, then: empty.then, times: 2 }] },
    [
      { ...served, repeat: 2 },
      refusedFor(60),
      { advance: '1m' },
      served,
      { call, repeat: 2, expect: { fails: 'empty' } },
    ],
  ],
  [
    { minute: 0, ban: 300 },
    { ...used({ minute: 60 }), ...banned(300) },
    [refusedFor(60), { advance: '1m' }, refusedFor(300), { advance: '5m' }, served],
  ],
]

test.each(written)('%j as a scenario with a walkthrough', async (situation, file, steps) => {
  expect(scenarioOf(situation)).toEqual(file)
  expect(await showSituation(situation, file as ScenarioFile, lists)).toEqual(steps)
})

describe('a walkthrough has the calls of the client', () => {
  const rex = { name: 'Rex', categoryId: 9_007_199_254_740_993n }
  const create = clientCall('POST /v1/pets', '{"name":"Rex","categoryId":9007199254740993}')
  const show = (situation: DrawnSituation, calls: readonly ClientCall[]) =>
    showSituation(situation, scenarioOf(situation), calls)

  test('up to the one that the situation refuses', async () => {
    const list = clientCall('GET /v1/pets?limit=5')
    const refused = { status: 429, headers: { 'Retry-After': 60 } }
    expect(await show({ minute: 3 }, [list, list, create, create, list])).toEqual([
      { call: 'GET /v1/pets?limit=5', repeat: 2, expect: { status: 200 } },
      { call: 'POST /v1/pets', body: rex, expect: { status: 201 } },
      { call: 'POST /v1/pets', body: rex, expect: refused },
    ])
  })

  test('up to the one that fails', async () => {
    const fault = { nth: 2, times: 1, then: { fault: 'reset' } } as const
    expect(await show({ fault }, [clientCall('GET /v1/pets'), create, create])).toEqual([
      served,
      { call: 'POST /v1/pets', body: rex, expect: { fails: 'reset' } },
    ])
  })

  test('and no more than it made', async () => {
    expect(await show({ minute: 40 }, [clientCall('GET /v1/pets/1')])).toEqual([
      { call: 'GET /v1/pets/1', expect: { status: 200 } },
    ])
  })

  test('with what is wrong with them', async () => {
    const calls = [
      { ...clientCall('GET /v1/pets'), hasKey: false },
      clientCall('POST /v1/pets', '{"name":', 'text/plain'),
    ]
    expect(await show({ minute: 9 }, calls)).toEqual([
      { call, key: null, expect: { status: 401 } },
      {
        call: 'POST /v1/pets',
        headers: { 'Content-Type': 'text/plain' },
        body: '{"name":',
        expect: { status: 400 },
      },
    ])
  })
})

test.each<[DrawnSituation, readonly DrawnSituation[]]>([
  [{}, []],
  [{ plan: 'pro' }, []],
  [{ minute: 3 }, [{ minute: 40 }, { minute: 22 }, { minute: 4 }]],
  [{ day: 2 }, [{ day: 40 }, { day: 21 }, { day: 3 }]],
  [{ day: 39 }, [{ day: 40 }]],
  [{ day: 40 }, []],
  [{ ban: 60 }, []],
  [{ ban: 300 }, [{ ban: 60 }]],
  [
    { plan: 'pro', day: 36 },
    [
      { plan: 'pro' },
      { day: 36 },
      { day: 36 },
      { plan: 'pro' },
      { plan: 'pro', day: 40 },
      { plan: 'pro', day: 38 },
      { plan: 'pro', day: 37 },
    ],
  ],
  [
    { minute: 0, banAfter: 8 },
    [
      { minute: 0 },
      { minute: 0 },
      { minute: 40, banAfter: 8 },
      { minute: 20, banAfter: 8 },
      { minute: 1, banAfter: 8 },
      { minute: 0, banAfter: 9 },
    ],
  ],
  [
    { minute: 0, banAfter: 9 },
    [
      { minute: 0 },
      { minute: 0 },
      { minute: 40, banAfter: 9 },
      { minute: 20, banAfter: 9 },
      { minute: 1, banAfter: 9 },
    ],
  ],
  [
    { day: 0, window: 58 },
    [
      { day: 0 },
      { day: 0 },
      { day: 40, window: 58 },
      { day: 20, window: 58 },
      { day: 1, window: 58 },
      { day: 0, window: 59 },
    ],
  ],
  [
    { day: 0, window: 59 },
    [{ day: 0 }, { day: 0 }, { day: 40, window: 59 }, { day: 20, window: 59 }, { day: 1, window: 59 }],
  ],
  [{ ban: 60, retryAfter: 'http-date' }, [{ ban: 60 }, { ban: 60 }]],
  [{ ban: 60, retryAfter: 'asctime-date' }, [{ ban: 60 }, { ban: 60 }, { ban: 60, retryAfter: 'http-date' }]],
  [{ clock: 3, ban: 2 }, [{ clock: 3 }, { ban: 2 }, { ban: 2 }, { clock: 3 }]],
  [
    { fault: failing },
    [{ fault: { ...failing, times: 1 } }, { fault: { ...failing, then: { status: 503 } } }],
  ],
  [{ fault: empty }, [{ fault: { ...empty, times: 1 } }, { fault: { ...empty, nth: 3 } }]],
])('%j is smaller as', (situation, smaller) => {
  expect(smallerSituations(situation)).toEqual(smaller)
})

test.each<[whole: DrawnSituation, effective: DrawnSituation]>([
  [{ window: 5, banAfter: 3, retryAfter: 'http-date' }, {}],
  [
    { ban: 60, window: 5, banAfter: 3, retryAfter: 'http-date' },
    { ban: 60, retryAfter: 'http-date' },
  ],
  [
    { day: 1, window: 5, banAfter: 3 },
    { day: 1, banAfter: 3, window: 5 },
  ],
  [{ clock: 3, minute: 1, day: 1, plan: 'pro', fault: empty, banAfter: 2, window: 9 }, { clock: 3 }],
  [
    { clock: 3, ban: 300, retryAfter: 'http-date' },
    { clock: 3, ban: 2, retryAfter: 'http-date' },
  ],
])('of %j only the parts that change something stay', (whole, expected) => {
  expect(effective(whole)).toEqual(expected)
  expect(nameOf(whole)).toBe(nameOf(expected))
})

describe('a run counts as failed', () => {
  const early = fly({ keys: { 'demo-free': { plan: 'free', used: { minute: 60 } } } }, ({ call, wait }) => {
    call()
    wait(1_000)
    call()
  })
  const spent = fly({}, ({ call }) => {
    for (let calls = 0; calls < 60; calls += 1) call()
  })
  const ended = (exitCode: number) => ({ kind: 'exited', exitCode }) as const
  const calm = fly({}, ({ call }) => call())
  const level = (name: 'error' | 'warning' | 'never'): Sought => ({ failOn: { level: name, ids: new Map() } })

  test.each<[failure: string | undefined, outcome: object, conduct: typeof calm, sought: Sought]>([
    [undefined, ended(0), calm, level('warning')],
    ['exit code 3', ended(3), early, level('error')],
    ['hung', { kind: 'hung' }, early, level('error')],
    ['early-retry', ended(0), early, level('error')],
    [undefined, ended(0), early, level('never')],
    ['early-retry', ended(3), early, { findings: ['early-retry'] }],
    ['quota-peak', ended(0), spent, { findings: ['quota-peak', 'banned'] }],
    [undefined, ended(3), early, { findings: ['banned'] }],
    [undefined, { kind: 'hung' }, calm, { findings: ['early-retry'] }],
  ])('%s: %j', (failure, outcome, conduct, sought) => {
    expect(failureOf({ outcome, conduct } as Parameters<typeof failureOf>[0], sought)).toBe(failure)
  })
})

const broken = (failure: string) => ({ situation: { minute: 1 }, failure, runs: 4, failed: 4 })
const again = 'pet-mock rehearse --search --seed 7 -- node client.js'

test.each<[failure: string, rehearsal: readonly string[]]>([
  ['exit code 1', ['rehearsal: { expects: success }']],
  ['hung', ['rehearsal: { expects: success }']],
  ['early-retry', []],
  ['no-backoff', ['rehearsal: { conduct: { failOn: warning } }']],
])('the file of %s fails a rehearsal until the client is right', async (failure, rehearsal) => {
  const text = await breaksFile(broken(failure), scenarioOf({ minute: 1 }), again, lists)
  expect(text.split('\n')).toEqual([
    `# Found by pet-mock rehearse --search: ${failure} in 4 of 4 runs. Again: ${again}`,
    'keys: { demo-free: { used: { minute: 59 } } }',
    ...rehearsal,
    'walkthrough:',
    '  - { call: GET /v1/pets, expect: { status: 200 } }',
    '  - { call: GET /v1/pets, expect: { status: 429, headers: { Retry-After: 60 } } }',
    '',
  ])
})

describe('the report', () => {
  const result = { isSmallest: true, untried: [], runs: 12, flaky: [], found: undefined, path: undefined }
  const head = {
    judge: 'search',
    title: 'Search for what breaks the client',
    notes: [],
    unjudged: [],
    flights: [],
  }
  const checksWith = (result: string) => [
    { id: 'breaks', title: 'the client comes through every drawn situation', result },
    { id: 'flaky', title: 'the client does the same in equal situations', result },
  ]
  const facts = [
    { name: 'Runs', value: '12' },
    { name: 'Seed', value: '7' },
  ]

  test('of a search that found nothing has only facts', () => {
    expect(reportSearch(result, { seed: 7, text: '' })).toEqual({
      ...head,
      checks: checksWith('passed'),
      findings: [],
      facts,
    })
  })

  test('shows what breaks the client, and what failed only once', () => {
    const once = { ...broken('hung'), failed: 1, runs: 1 }
    const report = reportSearch(
      { ...result, found: broken('exit code 1'), flaky: [once], path: '3:1' },
      { seed: 7, text: 'a: 1\nb: 2\n\n' },
    )
    expect(report).toEqual({
      ...head,
      checks: checksWith('failed'),
      facts: [...facts, { name: 'Path', value: '3:1' }],
      findings: [
        {
          id: 'breaks',
          severity: 'error',
          title: 'A situation breaks the client: exit code 1 in 4 of 4 runs.',
          remedy: 'Run the client in this scenario, and correct what fails.',
          source: 'pet-mock rehearse --search',
          count: 2,
          evidence: [
            { what: 'a: 1', detail: '' },
            { what: 'b: 2', detail: '' },
          ],
        },
        {
          id: 'flaky',
          severity: 'warning',
          title: '1 failure did not come again.',
          remedy: 'Look for what differs between runs, such as time, chance or parallel calls.',
          source: 'pet-mock rehearse --search',
          count: 1,
          evidence: [{ what: 'hung in 1 of 1 run', detail: '{"minute":1}' }],
        },
      ],
    })
  })
})
