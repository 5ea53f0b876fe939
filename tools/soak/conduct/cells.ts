import {
  type Expectation,
  everyCall,
  fromTheThird,
  noError,
  ofNewConnections,
  warningAtMost,
} from './verdicts.ts'

/** How a client of `clients/` calls. All are words of its command line: `kind=fetch shape=loop …`. */
interface Plan {
  readonly kind: Kind
  readonly shape: 'loop' | 'burst' | 'pool' | 'turns' | 'hedge' | 'waited'
  /** Accepted calls before the refusal. */
  readonly accepted?: number
  /** Calls after the refusal and before its wait is over. */
  readonly early?: number
  /** Milliseconds before each early call, or between the calls of a worker. For hedged calls, before the second one. */
  readonly pause?: number
  /** Whether the early calls, or the calls of the workers, equal each other. */
  readonly calls?: 'same' | 'different'
  /** Whether the client makes its refused call again when the wait is over. */
  readonly end?: 'stops' | 'returns'
  /** Sockets of an agent. */
  readonly sockets?: number
  readonly workers?: number
  readonly count?: number
}

export type Kind =
  | 'fetch'
  | 'fetch-unread'
  | 'undici'
  | 'agent'
  | 'axios'
  | 'got'
  | 'requests-session'
  | 'java'
  | 'curl'
  | 'urllib'
  | 'requests'

/** One client in one situation, and the verdict that it must get. */
export interface Cell {
  readonly id: string
  readonly row: string
  readonly plan: Plan
  /** Several processes: how many, and how many milliseconds lie between their starts. */
  readonly processes?: { readonly count: number; readonly apart: number | 'sequence' }
  /** Real seconds that a wait takes at least. */
  readonly waitSeconds: number
  readonly scenario: Readonly<Record<string, unknown>>
  readonly expected: Expectation
}

const earlyCalls = [1, 2, 3, 5, 20]
const pauses = [50, 100, 300, 700, 1_200, 2_000]
const shortPauses = [0, 20]

type Caller = Pick<Plan, 'kind' | 'sockets'>

const kept: readonly Caller[] = [
  { kind: 'fetch' },
  { kind: 'fetch-unread' },
  { kind: 'undici' },
  { kind: 'agent', sockets: 1 },
  { kind: 'agent', sockets: 50 },
  { kind: 'axios' },
  { kind: 'got' },
  { kind: 'requests-session' },
  { kind: 'java' },
]
const fresh: readonly Caller[] = [{ kind: 'curl' }, { kind: 'urllib' }, { kind: 'requests' }]
const pooled: readonly Caller[] = [
  { kind: 'fetch' },
  { kind: 'undici' },
  { kind: 'agent', sockets: 50 },
  { kind: 'requests-session' },
  { kind: 'java' },
]

const calls = ['same', 'different'] as const
const ends = ['stops', 'returns'] as const

function product<const T extends Readonly<Record<string, readonly unknown[]>>>(factors: T) {
  type Combined = { readonly [Name in keyof T]: T[Name][number] }
  return Object.entries(factors).reduce<object[]>(
    (all, [name, values]) => all.flatMap(some => values.map(value => ({ ...some, [name]: value }))),
    [{}],
  ) as Combined[]
}

interface Row {
  readonly name: string
  readonly cells: readonly Omit<Cell, 'id' | 'row'>[]
}

/** A loop that has `accepted` calls left, is refused, and makes early calls. */
function loop(plan: Omit<Plan, 'shape'>, expected: Expectation): Omit<Cell, 'id' | 'row'> {
  const { accepted = 0, early = 0, pause = 0, end, kind } = plan
  // A program that starts for each call takes up to a second on a busy machine.
  const perCall = kind === 'curl' ? 1_000 : 100
  const waitSeconds = end === 'returns' ? 10 + (early * (pause + perCall)) / 1_000 : 60
  return {
    plan: { shape: 'loop', ...plan },
    waitSeconds,
    // A client that comes back shall not have to wait for the end of a ban.
    scenario: { ...left(accepted), ...(end === 'returns' && { bans: 'off' }) },
    expected,
  }
}

function left(accepted: number) {
  return { keys: { 'demo-free': { used: { minute: 60 - accepted, day: 412 } } } }
}

const rows: readonly Row[] = [
  {
    name: 'one caller in sequence over kept connections',
    cells: product({ caller: kept, early: earlyCalls, pause: pauses, calls, accepted: [3] })
      .concat(product({ caller: kept, early: [1, 3], pause: [100, 1_200], calls, accepted: [10] }) as never)
      .map(({ caller, ...plan }) => loop({ ...caller, ...plan }, everyCall(plan.early, plan.calls))),
  },
  {
    name: 'the same with pauses of 0 and 20 ms',
    cells: product({ caller: kept, early: earlyCalls, pause: shortPauses, calls, accepted: [3] }).map(
      ({ caller, ...plan }) => loop({ ...caller, ...plan }, fromTheThird(plan.early, plan.calls)),
    ),
  },
  {
    name: 'the same loop on the wire',
    cells: [
      ...product({ calls, end: ends }).map(plan => ({
        plan: { kind: 'agent', sockets: 1, shape: 'burst', count: 66, ...plan } as const,
        waitSeconds: 9,
        scenario: {},
        expected: fromTheThird(5, plan.calls),
      })),
      ...product({ workers: [2, 3, 4, 6, 8], pause: [100, 300], calls }).map(plan => ({
        plan: { kind: 'agent', sockets: 1, shape: 'turns', ...plan } as const,
        waitSeconds: 9 + (plan.workers * plan.pause) / 1_000,
        scenario: left(0),
        expected: fromTheThird(plan.workers - 1, plan.calls),
      })),
      // A refusal of the first call: nothing shows yet how the client uses its connections.
      ...product({ caller: kept, early: [1, 3, 20], pause: [0, 100, 1_200] }).map(({ caller, ...plan }) =>
        loop({ ...caller, ...plan, calls: 'same', accepted: 0 }, fromTheThird(plan.early, 'same')),
      ),
    ],
  },
  {
    name: 'one caller with a connection for each call',
    cells: product({
      caller: fresh,
      early: earlyCalls,
      pause: [...shortPauses, ...pauses],
      calls,
      end: ends,
      accepted: [3],
    }).map(({ caller, ...plan }) =>
      loop({ ...caller, ...plan }, ofNewConnections(plan.early, plan.calls, plan.end)),
    ),
  },
  {
    name: 'calls at once',
    cells: [
      ...product({
        caller: [
          { kind: 'fetch' },
          { kind: 'agent', sockets: 4 },
          { kind: 'agent', sockets: 50 },
          { kind: 'undici' },
          { kind: 'axios' },
          { kind: 'java' },
        ],
        calls,
        end: ends,
      }).map(({ caller, calls, end }) => ({
        // Java's shape has no return.
        plan: {
          ...caller,
          shape: 'burst',
          count: 66,
          calls,
          end: caller.kind === 'java' ? 'stops' : end,
        } as const,
        waitSeconds: 9,
        scenario: {},
        expected: noError,
      })),
      ...product({
        caller: pooled,
        workers: [2, 3, 4, 5, 6, 7, 8],
        pause: [0, 50, 300, 1_200],
        calls: ['same'],
      })
        .concat(
          product({ caller: pooled, workers: [2, 5, 8], pause: [0, 300], calls: ['different'] }) as never,
        )
        .map(({ caller, ...plan }) => ({
          plan: { ...caller, shape: 'pool', ...plan } as const,
          // Longer than the two rounds of calls that are accepted.
          waitSeconds: 9 + (4 * plan.pause) / 1_000,
          scenario: left(2 * plan.workers),
          expected: noError,
        })),
      ...product({
        caller: [{ kind: 'fetch' }, { kind: 'undici' }, { kind: 'agent', sockets: 50 }],
        pause: [0, 40],
        accepted: [5, 6],
      }).map(({ caller, pause, accepted }) => ({
        plan: { ...caller, shape: 'hedge', pause } as const,
        waitSeconds: 9,
        scenario: { ...left(accepted), rules: [{ name: 'slow', then: { delay: '150ms' } }] },
        expected: noError,
      })),
      ...product({
        caller: [{ kind: 'fetch' }, { kind: 'undici' }, { kind: 'agent', sockets: 50 }, { kind: 'java' }],
        accepted: [3, 4],
        pause: [0, 100],
        calls,
      }).map(({ caller, ...plan }) => ({
        plan: { ...caller, shape: 'waited', ...plan } as const,
        waitSeconds: 9,
        scenario: { keys: { 'demo-free': { limits: { minute: plan.accepted } } } },
        expected: noError,
      })),
    ],
  },
  {
    name: 'several processes with one key, each obeying its own 429',
    cells: product({
      caller: [{ kind: 'fetch' }, { kind: 'agent', sockets: 1 }, { kind: 'curl' }, { kind: 'urllib' }],
      count: [2, 3, 5, 8],
      apart: [0, 200, 600],
    }).map(({ caller, count, apart }) => ({
      plan: { ...caller, shape: 'loop', accepted: 0, early: 0, end: 'returns' } as const,
      processes: { count, apart },
      waitSeconds: 10 + (count * (apart + 600)) / 1_000,
      scenario: left(0),
      expected: warningAtMost,
    })),
  },
  {
    name: 'several processes with one key, which give up',
    cells: product({
      caller: [{ kind: 'fetch' }, { kind: 'curl' }, { kind: 'urllib' }],
      count: [2, 3, 4, 6],
    }).map(({ caller, count }) => ({
      plan: { ...caller, shape: 'loop', accepted: 0, early: 0, end: 'stops' } as const,
      processes: { count, apart: 'sequence' },
      waitSeconds: 60,
      scenario: left(0),
      expected: ofNewConnections(count - 1, 'same', 'stops', true),
    })),
  },
]

/** All cells, in the order of the table. No two have the same id. */
export const table: readonly Cell[] = [
  ...new Map(
    rows.flatMap(({ name, cells }) =>
      cells.map(cell => {
        const id = idOf(cell)
        return [id, { id, row: name, ...cell }] as const
      }),
    ),
  ).values(),
]

function idOf({ plan: { kind, shape, ...rest }, processes }: Omit<Cell, 'id' | 'row'>): string {
  const several = processes === undefined ? '' : ` processes=${processes.count} apart=${processes.apart}`
  return `${kind} ${shape} ${wordsOf(rest).join(' ')}${several}`
}

export function wordsOf(plan: Partial<Plan>): readonly string[] {
  return Object.entries(plan).map(([name, value]) => `${name}=${value}`)
}
