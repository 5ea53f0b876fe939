import type { ScenarioFile, ThenFields } from '../../../src/control/scenario/file.ts'
import { type Clients, type Request, retryAfterOf, type Send } from '../../support/simulated-clients.ts'

/** What a client does in a scenario, and what is found. The quota is at its peak in most, and is not listed. */
export interface Behaviour {
  readonly name: string
  readonly scenario: ScenarioFile
  readonly live: (clients: Clients) => Promise<unknown>
  readonly found: readonly string[]
}

export const usedUp: ScenarioFile = { keys: { 'demo-free': { plan: 'free', used: { minute: 60, day: 60 } } } }
/** Room for many retries before a ban. */
const lenient: ScenarioFile = { ...usedUp, bans: 'off' }
const banned: ScenarioFile = { keys: { 'demo-free': { plan: 'free', banned: '120s' } } }
const outage: ScenarioFile = { rules: [{ then: { status: 503 } }] }

export const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)

/** Sends again when the wait that `waitMs` finds in a refusal is over. */
async function patiently(
  { sleep }: Clients,
  send: Send,
  request: Request = {},
  extraMs: () => number = () => 0,
): Promise<void> {
  for (const _ of times(5)) {
    const reply = await send(request)
    if (reply.status !== 429 && reply.status !== 503) return
    await sleep(retryAfterOf(reply) + extraMs())
  }
}

/** Sends again too early once, and then waits. */
async function early(clients: Clients, send: Send, pause: number): Promise<void> {
  await send()
  await clients.sleep(pause)
  await patiently(clients, send)
}

/** Sends again after each pause, until a call succeeds. */
async function stubbornly(
  { sleep }: Clients,
  send: Send,
  pauses: readonly number[],
  request: Request = {},
): Promise<void> {
  for (const pause of [...pauses, 0]) {
    const status = await send(request).then(
      reply => reply.status,
      () => 0,
    )
    if (status !== 0 && status < 429) return
    await sleep(pause)
  }
}

const always = (pause: number, count: number) => times(count).map(() => pause)

const rex: Request = { line: 'POST /v1/pets', body: '{"name":"Rex","categoryId":1}' }
const lost = (then: ThenFields): ScenarioFile => ({
  rules: [{ match: { operation: 'createPet' }, when: { first: 1 }, then }],
})
const resets = lost({ fault: 'reset', direction: 'response' })
/** Sends a creation until a reply comes. */
const insist = async (send: Send, request = rex) => {
  for (const _ of times(3)) if (await send(request).catch(() => undefined)) return
}

/** Creations whose replies are lost, or not. */
const creations: readonly Behaviour[] = [
  {
    name: 'creates again after a reset',
    scenario: resets,
    live: async c => insist(c.pool()),
    found: ['duplicate-create'],
  },
  {
    name: 'creates again after a reset, with a connection each',
    scenario: resets,
    live: async c => insist(c.connectionEach()),
    found: ['duplicate-create'],
  },
  {
    name: 'creates again after half a reply',
    scenario: lost({ fault: 'truncate' }),
    live: async c => insist(c.pool()),
    found: ['duplicate-create'],
  },
  {
    name: 'gives up on a late reply, and creates again',
    scenario: lost({ delay: '5s' }),
    live: async c => insist(c.pool(), { ...rex, timeout: 1_000 }),
    found: ['duplicate-create'],
  },
  {
    name: 'gives up on a reply that never comes, and creates again',
    scenario: lost({ fault: 'hang', direction: 'response' }),
    live: async c => insist(c.pool(), { ...rex, timeout: 1_000 }),
    found: ['duplicate-create'],
  },
  {
    name: 'looks before it creates again',
    scenario: resets,
    live: async c => {
      const send = c.pool()
      await send(rex).catch(() => undefined)
      await send()
      await insist(send)
    },
    found: [],
  },
  {
    name: 'creates again when the call itself was lost',
    scenario: lost({ fault: 'reset', direction: 'request' }),
    live: async c => insist(c.pool()),
    found: [],
  },
  {
    name: 'creates equal pets, of which one reply is lost',
    scenario: {
      rules: [{ match: { operation: 'createPet' }, when: { every: 3 }, then: { fault: 'reset' } }],
    },
    live: async c => {
      const send = c.pool()
      for (const _ of times(5)) await send(rex).catch(() => undefined)
    },
    found: [],
  },
  {
    name: 'creates equal pets at once, of which one reply is lost',
    scenario: resets,
    live: async c => {
      const send = c.pool()
      await Promise.all(times(5).map(() => send(rex).catch(() => undefined)))
    },
    found: [],
  },
  {
    name: 'creates other pets after a reset',
    scenario: resets,
    live: async c => {
      const send = c.pool()
      for (const name of ['Rex', 'Tom'])
        await send({ ...rex, body: JSON.stringify({ name, categoryId: 1 }) }).catch(() => undefined)
    },
    found: [],
  },
]

/** As many processes, each started a while after the one before. */
const processes = (
  count: number,
  apartMs: number,
  live: (clients: Clients, index: number) => Promise<unknown>,
) => {
  return (clients: Clients) =>
    Promise.all(
      times(count).map(async index => {
        await clients.sleep(index * apartMs)
        await live(clients, index)
      }),
    )
}

/** Several callers with one key: each comes back, so that nobody ignored a refusal. The key is used while it must wait. */
const shared = ['called-while-limited'] as const

export const politeWaits: readonly Behaviour[] = [
  { name: 'one client that waits', scenario: usedUp, live: c => patiently(c, c.pool(1)), found: [] },
  {
    name: 'one that waits, a connection for each call',
    scenario: usedUp,
    live: c => patiently(c, c.connectionEach()),
    found: [],
  },
  {
    name: 'one that waits with jitter',
    scenario: usedUp,
    live: c => patiently(c, c.pool(), {}, () => c.random() * 900),
    found: [],
  },
  {
    name: 'one that waits out a ban',
    scenario: banned,
    live: c => patiently(c, c.connectionEach()),
    found: [],
  },
  ...[1, 2, 6, 10, 100].flatMap(most =>
    most === 1
      ? []
      : (['lifo', 'fifo'] as const).map(order => ({
          name: `69 equal calls at once over a pool of ${most}, ${order}`,
          scenario: {},
          live: (c: Clients) => {
            const send = c.pool(most, order)
            return Promise.all(times(69).map(() => patiently(c, send)))
          },
          found: [],
        })),
  ),
  {
    name: '69 equal calls at once, a connection each',
    scenario: {},
    live: c => {
      const send = c.connectionEach()
      return Promise.all(times(69).map(() => send()))
    },
    found: [],
  },
  {
    name: '69 processes with one call each, started every ms',
    scenario: {},
    live: processes(69, 1, c => c.connectionEach()()),
    found: [],
  },
  {
    name: 'pages of a browser: 9 refused calls over 6 connections',
    scenario: usedUp,
    live: c => {
      const send = c.pool(6)
      return Promise.all(times(9).map(() => send()))
    },
    found: [],
  },
  {
    name: '69 equal calls at once, of which some wait for a second connection that opens late',
    scenario: {},
    live: async c => {
      const send = c.pool(2)
      const first = send()
      await c.sleep(30)
      await Promise.all([first, ...times(68).map(() => send())])
    },
    found: [],
  },
  {
    name: '64 different calls at once over a pool of 6',
    scenario: {},
    live: c => {
      const send = c.pool(6)
      return Promise.all(
        times(64).map(limit => patiently(c, send, { line: `GET /v1/pets?limit=${limit + 1}` })),
      )
    },
    found: [],
  },
  ...[40, 400, 1_200, 1_700].flatMap(apart => [
    {
      name: `2 processes that wait, ${apart} ms apart`,
      scenario: usedUp,
      live: processes(2, apart, c => patiently(c, c.pool())),
      found: shared,
    },
    {
      name: `2 processes that wait, ${apart} ms apart, a connection for each call`,
      scenario: usedUp,
      live: processes(2, apart, c => patiently(c, c.connectionEach())),
      found: shared,
    },
  ]),
  {
    name: '8 workers that wait, 150 ms apart',
    scenario: usedUp,
    live: processes(8, 150, c => patiently(c, c.pool(1))),
    found: shared,
  },
  {
    name: '8 workers that wait, 150 ms apart, a connection for each call',
    scenario: usedUp,
    live: processes(8, 150, c => patiently(c, c.connectionEach())),
    found: shared,
  },
  ...[2, 3].map(count => ({
    name: `${count} processes that end with the refusal, 500 ms apart`,
    scenario: usedUp,
    live: processes(count, 500, c => c.connectionEach()()),
    found: [],
  })),
  {
    name: '2 processes that call different things',
    scenario: usedUp,
    live: processes(2, 700, (c, index) =>
      patiently(c, c.pool(), { line: `GET /v1/pets?limit=${index + 1}` }),
    ),
    found: shared,
  },
  {
    name: '2 long processes with connections of their own, of which one is refused first',
    scenario: { keys: { 'demo-free': { plan: 'free', used: { minute: 57 } } } },
    live: processes(2, 30, async (c, index) => {
      const send = c.pool()
      await send()
      await c.sleep(500 + 800 * index)
      await patiently(c, send)
      await patiently(c, send)
    }),
    found: shared,
  },
  {
    name: 'a 503 with Retry-After that a client waits for',
    scenario: { rules: [{ when: { first: 2 }, then: { status: 503, headers: { 'Retry-After': '3' } } }] },
    live: c => patiently(c, c.connectionEach()),
    found: [],
  },
  {
    name: 'a 503 with Retry-After for several processes',
    scenario: { rules: [{ when: { first: 3 }, then: { status: 503, headers: { 'Retry-After': '3' } } }] },
    live: processes(3, 300, c => patiently(c, c.pool())),
    found: shared,
  },
]

export const hastyWaits: readonly Behaviour[] = [
  ...(['pool', 'connectionEach'] as const).flatMap((kind): Behaviour[] => [
    {
      name: `${kind}: 9 calls in a row`,
      scenario: usedUp,
      live: c => stubbornly(c, c[kind](), always(0, 8)),
      found: ['early-retry', 'no-backoff'],
    },
    {
      name: `${kind}: 15 calls in a row to a banned key`,
      scenario: banned,
      live: c => stubbornly(c, c[kind](), always(12, 14)),
      found: ['call-during-ban', 'no-backoff'],
    },
    {
      name: `${kind}: a retry after 0.7 s, and then a right wait`,
      scenario: usedUp,
      live: c => early(c, c[kind](), 700),
      found: ['early-retry'],
    },
    {
      name: `${kind}: retries after 200, 400 and 800 ms`,
      scenario: usedUp,
      live: c => stubbornly(c, c[kind](), [200, 400, 800]),
      found: ['early-retry'],
    },
    {
      name: `${kind}: seconds are read as milliseconds`,
      scenario: usedUp,
      live: async c => {
        const send = c[kind]()
        for (const _ of times(4)) await c.sleep(retryAfterOf(await send()) / 1_000)
      },
      found: ['early-retry'],
    },
    {
      name: `${kind}: other calls while the key is limited`,
      scenario: usedUp,
      live: async c => {
        const send = c[kind]()
        for (const limit of times(4)) {
          await send({ line: `GET /v1/pets?limit=${limit + 1}` })
          await c.sleep(300)
        }
      },
      found: ['called-while-limited'],
    },
    {
      name: `${kind}: a 503 with Retry-After is asked again at once`,
      scenario: { rules: [{ when: { first: 5 }, then: { status: 503, headers: { 'Retry-After': '3' } } }] },
      live: c => stubbornly(c, c[kind](), always(100, 4)),
      found: ['early-retry', 'no-backoff'],
    },
  ]),
  {
    name: 'a parallel burst, of which each refused call is asked again after 300 ms, twice',
    scenario: { ...lenient },
    live: c => {
      const send = c.pool(6)
      return Promise.all(times(6).map(() => stubbornly(c, send, [300, 300])))
    },
    found: ['early-retry'],
  },
  ...[20, 700].map(count => ({
    name: `a loop that alternates between two connections: ${count} calls`,
    scenario: lenient,
    live: async (c: Clients) => {
      const connections = [c.pool(1), c.pool(1)]
      for (const index of times(count)) await connections[index % 2]?.()
    },
    found: ['early-retry', 'no-backoff'],
  })),
  {
    name: 'a burst of 70 calls bans the key',
    scenario: {},
    live: c => {
      const send = c.pool(6)
      return Promise.all(times(70).map(() => send()))
    },
    found: ['banned'],
  },
  {
    name: 'a client that waits beside one that does not, which opens a connection for each call',
    scenario: lenient,
    live: processes(2, 100, (c, index) =>
      index === 0 ? patiently(c, c.pool()) : stubbornly(c, c.connectionEach(), always(150, 8)),
    ),
    found: ['early-retry', 'no-backoff'],
  },
]

export const backoffs: readonly Behaviour[] = [
  ...(
    [
      ['doubled', [1_000, 2_000, 4_000, 8_000, 16_000], []],
      ['capped', [1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 10_000, 10_000, 10_000], []],
      ['doubled from 20 ms', [20, 40, 80, 160, 320, 640], []],
      ['steady', always(1_000, 8), ['no-backoff']],
      ['steady at 160 ms', always(160, 8), ['no-backoff']],
      ['none', always(10, 19), ['no-backoff']],
      ['steady at 5 s', always(5_000, 6), ['no-backoff']],
    ] as const
  ).flatMap(([name, pauses, found]) =>
    (['pool', 'connectionEach'] as const).map(kind => ({
      name: `${kind}: 503, ${name} waits`,
      scenario: outage,
      live: (c: Clients) => stubbornly(c, c[kind](), pauses),
      found,
    })),
  ),
  ...(
    [
      ['full jitter', (c: Clients, index: number) => c.random() * 1_000 * 2 ** index],
      ['equal jitter', (c: Clients, index: number) => (0.5 + c.random() / 2) * 500 * 2 ** index],
    ] as const
  ).map(([name, pause]) => ({
    name: `503, ${name}`,
    scenario: outage,
    live: (c: Clients) =>
      stubbornly(
        c,
        c.pool(),
        times(7).map(index => Math.min(10_000, pause(c, index))),
      ),
    found: [],
  })),
  {
    name: '6 calls at once to a service that is down, each with growing waits and jitter',
    scenario: outage,
    live: c => {
      const send = c.pool()
      return Promise.all(
        times(6).map(() =>
          stubbornly(
            c,
            send,
            times(6).map(index => (0.7 + c.random() * 0.6) * 300 * 2 ** index),
          ),
        ),
      )
    },
    found: [],
  },
  {
    name: '6 processes that call a service that is down once each, 300 ms apart',
    scenario: outage,
    live: processes(6, 300, c => c.pool()()),
    found: [],
  },
  {
    name: '20 calls 10 ms apart after resets',
    scenario: { rules: [{ then: { fault: 'reset' } }] },
    live: c => stubbornly(c, c.pool(), always(10, 19)),
    found: ['no-backoff'],
  },
  {
    name: 'growing waits after resets',
    scenario: { rules: [{ then: { fault: 'reset' } }] },
    live: c => stubbornly(c, c.pool(), [250, 500, 1_000, 2_000, 4_000, 8_000]),
    found: [],
  },
  {
    name: 'growing waits after timeouts',
    scenario: { rules: [{ then: { fault: 'hang' } }] },
    live: c => stubbornly(c, c.pool(), [100, 200, 400, 800, 1_600, 3_200], { timeout: 2_000 }),
    found: [],
  },
]

export const arrivals: readonly Behaviour[] = [
  {
    name: 'a Retry-After that a reset loses',
    scenario: {
      rules: [
        { when: { first: 1 }, then: { status: 503, headers: { 'Retry-After': '30' }, fault: 'reset' } },
      ],
    },
    live: c => stubbornly(c, c.pool(), [1_500]),
    found: [],
  },
  {
    name: 'a Retry-After that a client does not wait for',
    scenario: {
      rules: [{ when: { first: 1 }, then: { status: 429, headers: { 'Retry-After': '30' }, delay: '5s' } }],
    },
    live: c => stubbornly(c, c.pool(), [500], { timeout: 1_000 }),
    found: [],
  },
  {
    name: 'a refusal that comes late, and calls before it',
    scenario: {
      rules: [{ when: { first: 2 }, then: { status: 429, headers: { 'Retry-After': '3' }, delay: '2s' } }],
    },
    live: async c => {
      const send = c.pool()
      const first = patiently(c, send)
      await c.sleep(500)
      await Promise.all([first, patiently(c, send)])
    },
    found: [],
  },
  {
    name: 'a first reply that is still to come when another worker is refused: one of the two may not know of it',
    scenario: {
      bans: 'off',
      keys: { 'demo-free': { plan: 'free', used: { minute: 58 } } },
      rules: [{ match: { query: { limit: '9' } }, then: { delay: '300ms' } }],
    },
    live: async c => {
      const [kept, opened] = [c.pool(1), c.pool(1)]
      await kept()
      const late = opened({ line: 'GET /v1/pets?limit=9' })
      await c.sleep(50)
      await kept()
      await c.sleep(50)
      await kept({ line: 'GET /v1/pets?limit=2' })
      await late
    },
    found: [],
  },
  {
    name: 'a page that never came',
    scenario: {
      rules: [{ match: { query: { cursor: 'YWZ0ZXI6MjA' } }, when: { first: 1 }, then: { fault: 'reset' } }],
    },
    live: async c => {
      const send = c.pool()
      await send()
      await stubbornly(c, send, [100], { line: 'GET /v1/pets?cursor=YWZ0ZXI6MjA' })
    },
    found: [],
  },
  {
    name: 'a page that a client gave up on',
    scenario: {
      rules: [{ match: { query: { cursor: 'YWZ0ZXI6MjA' } }, when: { first: 1 }, then: { delay: '5s' } }],
    },
    live: async c => {
      const send = c.pool()
      await send()
      await stubbornly(c, send, [100], { line: 'GET /v1/pets?cursor=YWZ0ZXI6MjA', timeout: 1_000 })
    },
    found: [],
  },
  {
    name: 'a 400 that never came',
    scenario: { rules: [{ then: { fault: 'reset' } }] },
    live: c => stubbornly(c, c.pool(), [100, 300], { line: 'GET /v1/pets?limit=500' }),
    found: [],
  },
]

export const otherHabits: readonly Behaviour[] = [
  ...(['pool', 'connectionEach'] as const).flatMap((kind): Behaviour[] => [
    {
      name: `${kind}: polling every 300 ms, 30 times`,
      scenario: {},
      live: async c => {
        const send = c[kind]()
        for (const _ of times(30)) {
          await send()
          await c.sleep(300)
        }
      },
      found: ['polling-too-fast'],
    },
    {
      name: `${kind}: a loop of 30 calls`,
      scenario: {},
      live: async c => {
        const send = c[kind]()
        for (const _ of times(30)) await send()
      },
      found: [],
    },
  ]),
  {
    name: 'polling every 5 s',
    scenario: {},
    live: async c => {
      const send = c.pool()
      for (const _ of times(14)) {
        await send()
        await c.sleep(5_000)
      }
    },
    found: ['polling-too-fast'],
  },
  {
    name: '12 processes with one call each, a second apart',
    scenario: {},
    live: processes(12, 1_000, c => c.pool()()),
    found: [],
  },
  {
    name: '12 processes with one call each, a second apart, that end at once',
    scenario: {},
    live: processes(12, 1_000, c => c.connectionEach()()),
    found: [],
  },
  {
    name: 'lists of 1, 20 and 100',
    scenario: {},
    live: async c => {
      const send = c.pool()
      for (const limit of [1, 20, 100]) await send({ line: `GET /v1/pets?limit=${limit}` })
    },
    found: [],
  },
  {
    name: 'paging by a growing limit',
    scenario: {},
    live: async c => {
      const send = c.pool()
      for (const limit of [10, 20, 30, 40, 50]) await send({ line: `GET /v1/pets?limit=${limit}` })
    },
    found: ['page-asked-again'],
  },
  ...creations,
  {
    name: 'two tests of one rejection',
    scenario: {},
    live: async c => {
      const send = c.pool()
      for (const _ of times(2)) await send({ line: 'POST /v1/pets', body: '{}' })
    },
    found: [],
  },
  {
    name: 'a rejected call, repeated',
    scenario: {},
    live: async c => {
      const send = c.connectionEach()
      for (const _ of times(4)) await send({ line: 'POST /v1/pets', body: '{}' })
    },
    found: ['invalid-request-repeated'],
  },
  {
    name: 'a rejected call of four test processes',
    scenario: {},
    live: processes(4, 200, c => c.pool()({ line: 'POST /v1/pets', body: '{}' })),
    found: [],
  },
]
