import type { SentCall } from '../load/load.ts'
import type { Bench, Measurement, Series } from '../measurement.ts'
import { filteredList, manyIdleRules } from '../programs/pets-world.ts'
import {
  listPerKey,
  listPerSandbox,
  numbered,
  petMockWith,
  petMockWithKeys,
  unlimitedPetMock,
} from '../servers/pet-mock.ts'
import { type RunningServer, type Server, startAll, stopAll, withHeapReporter } from '../servers/server.ts'
import { interleave } from '../statistics.ts'
import { comparedVolleys, fill, listCall, sendRound } from './volleys.ts'

interface Size {
  readonly name: string
  readonly petMock: Server
  readonly calls?: readonly SentCall[]
  readonly fill?: number
}

/** What grows, such as the number of pets. */
interface Growth {
  readonly name: string
  readonly about: string
  readonly title: string
  readonly note: string
  readonly sizes: (bench: Bench) => readonly (Size | Promise<Size>)[]
}

const growths: readonly Growth[] = [
  {
    name: 'pets',
    about: 'at 1,000 to 1,000,000 pets',
    title: 'pets',
    note: 'In turn 2,000 calls: single pets, and filtered lists from other places, all over the store. Heap is that of the whole process after a collection, buffers included.',
    sizes: ({ root }) =>
      [1_000, 10_000, 100_000, 1_000_000].map(count => ({
        name: sizeName(count, 'pet'),
        petMock: unlimitedPetMock(root, ['--pets', String(count)]),
        calls: callsAllOver(count),
        fill: 10_000,
      })),
  },
  {
    name: 'keys',
    about: 'with 1 to 10,000 keys in turn',
    title: 'keys',
    note: 'Lists of pets, each with the next key.',
    sizes: bench =>
      [1, 10, 100, 1_000, 10_000].map(async count => ({
        name: sizeName(count, 'key'),
        petMock: await petMockWithKeys(bench, count),
        calls: listPerKey(count),
      })),
  },
  {
    name: 'sandboxes',
    about: 'with 1 to 10,000 sandboxes in turn',
    title: 'sandboxes',
    note: 'Lists of pets, each in the next sandbox. pet-mock keeps the 1,000 sandboxes that were used last. With 10,000 in turn, every call finds its sandbox dropped and creates it anew: the worst case.',
    sizes: ({ root }) =>
      [1, 10, 100, 1_000, 10_000].map(count => ({
        name: sizeName(count, 'sandbox').replace(/xs$/, 'xes'),
        petMock: unlimitedPetMock(root),
        calls: listPerSandbox(count),
        fill: count,
      })),
  },
  {
    name: 'journal',
    about: 'with a full journal of 1,000 to 100,000 calls, and with none',
    title: 'a full journal',
    note: 'Lists of pets. The journal is full before the first round, so each call drops the oldest one. 1,000 calls is the default.',
    sizes: ({ root }) => [
      { name: 'no journal', petMock: unlimitedPetMock(root, ['--journal', '0']) },
      ...[1_000, 10_000, 100_000].map(count => ({
        name: `${count.toLocaleString('en')} calls, full`,
        petMock: unlimitedPetMock(root, ['--journal', `${count},2GB`]),
        fill: count,
      })),
    ],
  },
  {
    name: 'rules',
    about: 'with 0 to 100 rules, of which none matches',
    title: 'rules that do not match',
    note: 'Lists of pets, with rules for other operations, paths, keys, plans, queries and bodies. Each server is a process of its own; two of the same program differ by up to a tenth.',
    sizes: bench =>
      [0, 1, 10, 100].map(async count => ({
        name: sizeName(count, 'rule'),
        petMock: await petMockWith(bench, `rules-${count}`, {
          // Rules may name only keys and plans that exist.
          plans: { none: { minute: 1, day: 1 } },
          keys: { spent: { plan: 'none' } },
          rules: manyIdleRules(count),
        }),
      })),
  },
]

export const growth: readonly Measurement[] = growths.map(({ name, about, title, note, sizes }) => ({
  name: `growth-${name}`,
  about: `calls a second, p99 and heap ${about}`,
  run: async (bench: Bench) => {
    const series = await grow(bench, await Promise.all(sizes(bench)))
    return { title: `Growth: ${title}`, notes: [note], series, claims: [] }
  },
}))

const speed = 'calls a second'

/** Speed, p99, CPU, allocation and heap of pet-mock by size: fewer and shorter rounds than those beside peers. */
async function grow(bench: Bench, sizes: readonly Size[]): Promise<readonly Series[]> {
  const { folder, processes, load } = bench
  const [rounds, seconds] = [Math.ceil(bench.rounds / 2), bench.seconds / 2]
  const contestants = sizes.map(({ name, petMock }) => [name, withHeapReporter(folder, petMock)] as const)
  const servers = await startAll(processes, Object.fromEntries(contestants))
  const sizeOf = (wanted: string) => sizes.find(({ name }) => name === wanted)
  const send = (server: RunningServer, name: string) => {
    const calls = sizeOf(name)?.calls ?? [listCall(server.server)]
    return sendRound(load, { seconds, calls: () => calls })(server)
  }
  try {
    await fill(servers, name => sizeOf(name)?.fill ?? 0, send)
    const volleys = await interleave(servers, rounds + 1, send)
    const heaps = await interleave(servers, 1, async ({ heap }) => ((await heap('held')) ?? Number.NaN) / 1e6)
    const heapSeries = Object.entries(heaps).map(
      ([who, samples]): Series => ({ who, what: 'heap', unit: 'MB', samples }),
    )
    return [...comparedVolleys(speed, volleys, sizes[0]?.name ?? ''), ...heapSeries]
  } finally {
    await stopAll(servers)
  }
}

function sizeName(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

function callsAllOver(pets: number): readonly SentCall[] {
  return numbered(2_000, n => ({
    method: 'GET',
    target: n % 2 === 0 ? `/v1/pets/${1 + ((n * 7_919) % pets)}` : filteredList(n, pets),
    key: 'bench',
  }))
}
