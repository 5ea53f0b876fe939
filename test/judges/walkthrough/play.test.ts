import { describe, expect, test } from 'vitest'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import type { CallStep, Step } from '../../../src/control/scenario/file.ts'
import { createInProcessTarget } from '../../../src/judges/walkthrough/in-process.ts'
import { hasPassed, type PlayedStep, play } from '../../../src/judges/walkthrough/play.ts'
import type { WalkthroughCall, WalkthroughTarget } from '../../../src/judges/walkthrough/target.ts'
import { scenarioOf } from '../../support/scenarios.ts'

async function played(steps: readonly Step[], target: WalkthroughTarget): Promise<readonly PlayedStep[]> {
  const all: PlayedStep[] = []
  for await (const step of play(steps, 'demo-free', target)) all.push(step)
  return all
}

function showStep(step: CallStep): string {
  return JSON.stringify(step, (_name, value) => (typeof value === 'bigint' ? `${value}n` : value))
}

const inProcess = () => createInProcessTarget(scenarioOf({ pets: { count: 3 } }), shippedFixtures)
const list = 'GET /v1/pets'

/** A step, and each difference as `what: expected / got`. */
const rows: readonly (readonly [CallStep, ...string[]])[] = [
  [{ call: list, expect: { status: 200 } }],
  [{ call: list }],
  [{ call: list, expect: { status: 201 } }, 'status: 201 / 200'],
  [{ call: list, repeat: 62, expect: { status: 200 } }, 'status: 200 ×62 / 200 ×60, 429 ×2'],
  [{ call: list, repeat: 62, expect: { statuses: { 429: 2, 200: 60 } } }],
  [
    { call: list, parallel: 62, expect: { statuses: { 200: 61, 429: 1 } } },
    'status: 200 ×61, 429 / 200 ×60, 429 ×2',
  ],
  [{ call: list, parallel: 2, expect: { statuses: { 200: 2, 429: 0 } } }],
  [{ call: list, expect: { headers: { 'x-ratelimit-limit': 60, 'X-RateLimit-Remaining': '59' } } }],
  [{ call: list, repeat: 3, expect: { headers: { 'X-RateLimit-Remaining': 57 } } }],
  [{ call: list, expect: { headers: { 'X-RateLimit-Limit': 61 } } }, 'X-RateLimit-Limit: 61 / 60'],
  [{ call: list, expect: { headers: { Link: true } } }, 'Link: any value / –'],
  [{ call: list, expect: { headers: { Link: null, Date: true } } }],
  [{ call: list, expect: { headers: { Vary: null } } }, 'Vary: – / Origin'],
  [{ call: list, expect: { headers: { Link: 'x' } } }, 'Link: x / –'],
  [{ call: list, expect: { length: 3 } }],
  [{ call: list, expect: { length: 1 } }, 'length: 1 item / 3 items'],
  [
    { call: `${list}/1`, expect: { length: 1 } },
    'length: 1 item / {"id":1,"name":"Biscuit","categoryId":1,"status":"available…',
  ],
  [{ call: list, expect: { body: [{ id: 1 }, {}, { name: 'Pickles' }] } }],
  [{ call: list, expect: { body: [{ id: 2 }, {}, {}] } }, 'body[0].id: 2 / 1'],
  [{ call: list, expect: { body: [{ id: 1 }] } }, 'body: 1 item / 3 items'],
  [{ call: list, expect: { body: [] } }, 'body: 0 items / 3 items'],
  [
    { call: list, expect: { body: {} } },
    `body: {} / [{"id":1,"name":"Biscuit","categoryId":1,"status":"availabl…`,
  ],
  [{ call: `${list}/1`, expect: { body: { id: '1', nothing: null } } }, 'body.id: "1" / 1'],
  [{ call: `${list}/1`, expect: { body: { status: null } } }, 'body.status: null / "available"'],
  [{ call: `${list}/1`, expect: { body: { age: 3 } } }, 'body.age: 3 / –'],
  [{ call: 'HEAD /v1/pets', expect: { body: [] } }, 'body: JSON / nothing'],
  [{ call: list, key: null, expect: { status: 401 } }],
  [{ call: list, key: 'demo-pro', expect: { headers: { 'X-RateLimit-Limit': 300 } } }],
  [
    {
      call: list,
      headers: { authorization: 'Bearer demo-pro' },
      expect: { headers: { 'X-RateLimit-Limit': 300 } },
    },
  ],
  [
    {
      call: 'POST /v1/pets',
      body: { name: 'x', categoryId: 2n ** 60n },
      expect: { body: { categoryId: 2n ** 60n } },
    },
  ],
  [
    {
      call: 'POST /v1/pets',
      body: { name: 'x', categoryId: 2n ** 60n },
      expect: { body: { categoryId: 2n ** 60n + 1n } },
    },
    'body.categoryId: 1152921504606846977 / 1152921504606846976',
  ],
  [{ call: 'POST /v1/pets', body: '{"name":"x","categoryId":1}', expect: { status: 201 } }],
  [{ call: 'POST /v1/pets', body: null, expect: { body: { code: 'invalid_body' } } }],
  [{ call: list, expect: { fails: 'reset' } }, 'fails: reset / 200'],
  [{ call: list, expect: { fails: 'malformed' } }, 'fails: malformed / 200'],
]

test.each(rows.map(([step, ...differences]) => ({ title: showStep(step), step, differences })))(
  '$title',
  async ({ step, differences }) => {
    const [{ differences: found } = { differences: [] }] = await played([step], inProcess())
    expect(found.map(({ what, expected, got }) => `${what}: ${expected} / ${got}`)).toEqual(differences)
  },
)

test('a walkthrough passes if every step was played and none differs', async () => {
  const steps: Step[] = [{ call: list, expect: { status: 200 } }, { advance: '60s' }, { note: 'The end.' }]
  expect(hasPassed(steps, await played(steps, inProcess()))).toBe(true)
  const wrong: Step[] = [{ call: list, expect: { status: 500 } }, ...steps]
  const all = await played(wrong, inProcess())
  expect(all).toHaveLength(4)
  expect(hasPassed(wrong, all)).toBe(false)
})

test('a refused change fails the walkthrough with its reason, and the next steps are played', async () => {
  const steps: Step[] = [{ change: { do: 'banKey', key: 'nobody' } }, { call: list, expect: { status: 200 } }]
  const all = await played(steps, inProcess())
  expect(all).toMatchObject([
    { impossible: expect.stringContaining('unknown key "nobody"') },
    { outcome: '200', differences: [] },
  ])
  expect(hasPassed(steps, all)).toBe(false)
})

test('parallel calls are all under way before the first response', async () => {
  const waiting: (() => void)[] = []
  const target: WalkthroughTarget = {
    ...inProcess(),
    call: () =>
      new Promise(resolve => {
        waiting.push(() => resolve({ status: 200, headers: {}, text: '' }))
        if (waiting.length === 5) for (const answer of waiting) answer()
      }),
  }
  expect(await played([{ call: list, parallel: 5, expect: { status: 200 } }], target)).toMatchObject([
    { calls: 5, outcome: '200 ×5', differences: [] },
  ])
})

test('a call without an answer', async () => {
  const target: WalkthroughTarget = { ...inProcess(), call: () => ({ fails: 'reset' }) }
  const steps: Step[] = [
    { call: list, expect: { fails: 'reset' } },
    { call: list, expect: { fails: 'hang' } },
    { call: list, expect: { status: 200 } },
    { call: list, expect: { headers: { Link: null } } },
  ]
  const found = (await played(steps, target)).flatMap(({ differences }) => differences)
  expect(found).toEqual([
    { what: 'fails', expected: 'hang', got: 'no answer (reset)' },
    { what: 'status', expected: '200', got: 'no answer (reset)' },
    { what: 'status', expected: 'an answer', got: 'no answer (reset)' },
  ])
})

test('an impossible call ends the walkthrough, in sequence or in parallel', async () => {
  for (const times of [{ repeat: 5 }, { parallel: 5 }]) {
    let made = 0
    const target: WalkthroughTarget = {
      ...inProcess(),
      call: () => {
        made += 1
        return made < 3 ? { fails: 'reset' } : { ok: false, impossible: 'the server is gone' }
      },
    }
    const steps: Step[] = [{ call: list, ...times, expect: { fails: 'reset' } }, { note: 'The end.' }]
    expect(await played(steps, target)).toMatchObject([
      { calls: 2, outcome: 'no answer (reset) ×2', differences: [], impossible: 'the server is gone' },
    ])
    expect(made).toBe('repeat' in times ? 3 : 5)
  }
})

test('a header that the target cannot compare is reported, not a difference', async () => {
  const target: WalkthroughTarget = {
    ...inProcess(),
    cannotJudge: header => (header === 'retry-after' ? 'time passes' : undefined),
  }
  const [step] = await played([{ call: list, expect: { headers: { 'Retry-After': 60 } } }], target)
  expect(step).toMatchObject({ differences: [], unjudged: ['Retry-After is not judged: time passes'] })
})

test('the presence of a header can be compared on any target', async () => {
  const target: WalkthroughTarget = { ...inProcess(), cannotJudge: () => 'time passes' }
  const headers = { 'Retry-After': true, Date: null, 'X-RateLimit-Reset': true, Link: null } as const
  const [step] = await played([{ call: list, expect: { headers } }], target)
  expect(step?.differences.map(({ what }) => what)).toEqual(['Retry-After', 'Date'])
  expect(step?.unjudged).toEqual([])
})

test('a call is sent as written', async () => {
  const calls: WalkthroughCall[] = []
  const target: WalkthroughTarget = {
    ...inProcess(),
    call: call => {
      calls.push(call)
      return { status: 200, headers: {}, text: '' }
    },
  }
  await played(
    [
      { call: 'POST /v1/pets?a=%20', body: { id: 2n ** 63n - 1n }, headers: { 'X-N': 5 } },
      { call: 'POST /v1/pets', key: null, body: 'x', headers: { 'content-type': 'text/plain' } },
    ],
    target,
  )
  expect(calls).toEqual([
    {
      method: 'POST',
      target: '/v1/pets?a=%20',
      headers: ['Authorization', 'Bearer demo-free', 'Content-Type', 'application/json', 'X-N', '5'],
      body: '{"id":9223372036854775807}',
    },
    { method: 'POST', target: '/v1/pets', headers: ['content-type', 'text/plain'], body: 'x' },
  ])
})

describe('saved values', () => {
  const create: CallStep = {
    call: 'POST /v1/pets',
    body: { name: 'Rex', categoryId: 1 },
    save: { rex: 'body.id' },
    expect: { status: 201, headers: { Location: '/v1/pets/${rex}' } },
  }

  test('are used in calls, bodies, headers and expectations, numbers as numbers', async () => {
    const all = await played(
      [
        create,
        { call: 'GET /v1/pets/${rex}', expect: { body: { id: '${rex}', name: 'Rex' } } },
        {
          call: 'POST /v1/pets',
          body: { name: 'Son of ${rex}', categoryId: '${rex}' },
          save: { son: 'body' },
        },
        { call: list, expect: { body: [{}, {}, {}, { id: 4 }, '${son}'] } },
        { call: 'GET /v1/pets?limit=2', save: { page2: 'next.cursor', second: 'body[1].name' } },
        { call: 'GET /v1/pets?limit=2&cursor=${page2}', expect: { body: [{ id: 3 }, { id: '${rex}' }] } },
      ],
      inProcess(),
    )
    expect(all.flatMap(({ differences }) => differences)).toEqual([])
    expect(all).toHaveLength(6)
  })

  test('an answer without the value differs, and only a call that needs it cannot be made', async () => {
    const steps: readonly Step[] = [
      { ...create, body: {}, expect: { status: 400 } },
      { call: list, save: { page2: 'next.cursor', none: 'body[7].id', proto: 'body.__proto__' } },
      { call: 'GET /v1/pets/${rex}' },
      { call: list },
    ]
    const all = await played(steps, inProcess())
    expect(all[0]?.differences).toEqual([{ what: 'save.rex', expected: 'body.id', got: '–' }])
    expect(all[1]?.differences.map(({ what }) => what)).toEqual(['save.page2', 'save.none', 'save.proto'])
    expect(all[2]).toMatchObject({ impossible: 'there is no saved value rex', calls: 0 })
    expect(all[3]).toMatchObject({ outcome: '200', differences: [] })
    expect(hasPassed(steps.slice(2), all.slice(2))).toBe(false)
  })

  test('other texts that look alike stay', async () => {
    const body = { name: '${nobody} and $rex', categoryId: 1 }
    const [, second] = await played([create, { call: 'POST /v1/pets', body, expect: { body } }], inProcess())
    expect(second?.differences).toEqual([])
  })
})
