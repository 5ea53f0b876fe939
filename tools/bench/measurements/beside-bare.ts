import { newPet, type SentCall } from '../load/load.ts'
import type { Bench, Claim, Measurement, Outcome } from '../measurement.ts'
import { bare } from '../servers/peers.ts'
import {
  listPerKey,
  listPerSandbox,
  petMockWith,
  petMockWithKeys,
  unlimitedPetMock,
} from '../servers/pet-mock.ts'
import { record } from '../servers/recording.ts'
import { type Server, startAll, stopAll, withHeapReporter } from '../servers/server.ts'
import { compare, interleave } from '../statistics.ts'
import { bareName, comparedVolleys, fill, listCall, sendRound } from './volleys.ts'

interface Comparison {
  readonly title: string
  readonly notes: readonly string[]
  readonly speed: string
  readonly petMock: Server
  readonly calls: readonly SentCall[]
  /** The calls whose replies the bare server gives in turn. */
  readonly recorded: readonly SentCall[]
  readonly refused?: boolean
  readonly limit: Pick<Claim, 'bar' | 'goal'>
}

/** Pet-mock under some calls, beside `node:http` that answers the same bytes. */
async function besideBare(bench: Bench, comparison: Comparison): Promise<Outcome> {
  const { folder, processes, load, rounds, seconds } = bench
  const { title, notes, speed, petMock, calls, recorded, refused = false, limit } = comparison
  const file = await record(bench, petMock, recorded)
  const firstStatus = refused ? 401 : 200
  const servers = await startAll(processes, {
    [bareName]: withHeapReporter(folder, bare(folder, file, firstStatus)),
    'pet-mock': withHeapReporter(folder, petMock),
  })
  try {
    const round = sendRound(load, { seconds, calls: () => calls, refused })
    await fill(servers, () => callsToFill(calls.length), round)
    const series = comparedVolleys(speed, await interleave(servers, rounds + 1, round), bareName)
    const claim = compare(series, speed, 'pet-mock', bareName, { sense: 'at least', ...limit })
    return { title, notes, series, claims: [claim] }
  } finally {
    await stopAll(servers)
  }
}

/** A round of many calls begins when each has been made ten times. */
function callsToFill(turn: number): number {
  return turn < 100 ? 0 : turn * 10
}

export const mix: Measurement = {
  name: 'mix',
  about: 'nine reads to one create, beside a bare server',
  run: bench => {
    const petMock = unlimitedPetMock(bench.root)
    const list = listCall(petMock)
    const create = { method: 'POST', target: '/v1/pets', key: petMock.key, body: newPet } as const
    return besideBare(bench, {
      title: 'A mix: nine reads to one create',
      notes: [
        'As above; every tenth call is a `POST /v1/pets`. The bare server reads the body and drops it; pet-mock checks it and keeps the pet. The first page of the list stays the same.',
      ],
      speed: 'mixed calls a second',
      petMock,
      calls: [...Array(9).fill(list), create],
      recorded: [list, create],
      limit: { goal: 0.85 },
    })
  },
}

export const refused: Measurement = {
  name: 'refused',
  about: 'calls that are answered with 401, 404 and 429 in turn, beside a bare server',
  run: async bench => {
    const most = 1_000_000_000
    const petMock = await petMockWith(bench, 'refused', {
      // A ban would answer 403 after ten calls.
      bans: { after: most },
      plans: { none: { minute: most, day: 1 } },
      keys: { spent: { plan: 'none', used: { day: 1 } } },
    })
    const list = listCall(petMock)
    const calls = [
      { ...list, key: 'nobody' },
      { ...list, target: '/v1/pets/999999' },
      { ...list, key: 'spent' },
    ]
    return besideBare(bench, {
      title: 'Refused: 401, 404 and 429',
      notes: [
        'As above: in turn a key that nobody has (401), a pet that does not exist (404), and a key whose quota is used up (429). Strikes count; bans begin after more calls than are made.',
      ],
      speed: 'refused calls a second',
      petMock,
      calls,
      recorded: calls,
      refused: true,
      limit: { goal: 0.85 },
    })
  },
}

const count = 1_000

export const keys: Measurement = {
  name: 'keys',
  about: 'reads with 1,000 keys in turn, beside a bare server',
  run: async bench =>
    inTurn(bench, 'keys', ['As above, each call with the next key.'], {
      petMock: await petMockWithKeys(bench, count),
      calls: listPerKey(count),
    }),
}

export const sandboxes: Measurement = {
  name: 'sandboxes',
  about: 'reads in 1,000 sandboxes in turn, beside a bare server',
  run: bench =>
    inTurn(
      bench,
      'sandboxes',
      [
        'As above, each call in the next sandbox: the default one and 999 others. Each has 100 pets of its own.',
      ],
      { petMock: unlimitedPetMock(bench.root), calls: listPerSandbox(count) },
    ),
}

function inTurn(
  bench: Bench,
  noun: 'keys' | 'sandboxes',
  notes: readonly string[],
  { petMock, calls }: Pick<Comparison, 'petMock' | 'calls'>,
): Promise<Outcome> {
  return besideBare(bench, {
    title: `Reads ${noun === 'keys' ? 'with' : 'in'} 1,000 ${noun} in turn`,
    notes,
    speed: `reads a second, 1,000 ${noun}`,
    petMock,
    calls,
    recorded: calls.slice(0, 1),
    limit: { goal: 0.8 },
  })
}
