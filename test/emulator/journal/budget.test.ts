import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draw } from '../../../src/base/random/random.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { Breach } from '../../../src/emulator/journal/exchange.ts'
import { Journal, JournalBudget } from '../../../src/emulator/journal/journal.ts'
import type { Call } from '../../../src/service/call/call.ts'
import { scenarioOf } from '../../support/scenarios.ts'

const callOf = (sandbox: string, headers: readonly string[] = []): Call => ({
  method: 'GET',
  target: '/v1/pets?limit=1',
  headers: ['Host', 'localhost', 'Authorization', `Bearer demo-enterprise+${sandbox}`, ...headers],
  body: undefined,
  scheme: 'http',
  client: '127.0.0.1',
  receivedAt: 0,
})

const megabyte = 2 ** 20

test('over the budget, the sandbox that holds most loses its oldest calls', () => {
  const { sandboxes, handle } = createEmulator({
    scenario: scenarioOf({}),
    startedAt: 0,
    journal: { entries: 100_000, bytes: megabyte },
  })
  for (let made = 0; made < 20; made += 1) handle(callOf('quiet'))
  for (let made = 0; made < 5_000; made += 1) handle(callOf('noisy'))
  const quiet = sandboxes.get('quiet')?.journal
  const noisy = sandboxes.get('noisy')?.journal
  expect([quiet?.size, quiet?.evicted]).toEqual([20, 0])
  expect((noisy?.size ?? 0) + (noisy?.evicted ?? 0)).toBe(5_000)
  expect(noisy?.evicted).toBe(sandboxes.journals.evictions)
  expect(sandboxes.journals.bytes).toBeLessThanOrEqual(megabyte)
  expect(sandboxes.journals.bytes).toBeGreaterThan(megabyte * 0.99)
  const ids = Array.from(noisy ?? [], ({ id }) => id)
  expect(ids).toEqual(Array.from(ids, (_, index) => 5_000 - ids.length + 1 + index))
})

test('a sandbox that goes or starts anew gives its bytes back', () => {
  const { sandboxes, handle } = createEmulator({ scenario: scenarioOf({}), startedAt: 0 })
  const bytes = () => sandboxes.journals.bytes
  handle(callOf('one'))
  const ofOne = bytes()
  handle(callOf('two'))
  handle(callOf('default'))
  expect(ofOne).toBeGreaterThan(1_000)
  sandboxes.drop('two', 0)
  sandboxes.startAnew('default', 0)
  expect(bytes()).toBe(ofOne)
  sandboxes.get('one')?.journal.clear()
  expect(bytes()).toBe(0)
  handle(callOf('one'))
  sandboxes.replaceAll(sandboxes.scenario, [sandboxes.default], new Map())
  expect(bytes()).toBe(0)
})

test('the estimate follows what a call really takes', () => {
  const { sandboxes, handle } = createEmulator({
    scenario: scenarioOf({}),
    startedAt: 0,
    journal: { entries: 100_000, bytes: 2 ** 30 },
  })
  const costOf = (call: Call) => {
    const before = sandboxes.journals.bytes
    handle(call)
    return sandboxes.journals.bytes - before
  }
  const plain = costOf(callOf('a'))
  expect(plain).toBeLessThan(2_000)
  const long = callOf('a', ['X-Long', 'x'.repeat(2_000)])
  expect(costOf(long) - plain).toBeGreaterThanOrEqual(2_000)
  expect(
    costOf({ ...callOf('a'), target: `/v1/pets?limit=1&x=${'x'.repeat(9_000)}` }) - plain,
  ).toBeGreaterThan(9_000)
  expect(costOf({ ...callOf('a'), method: 'POST', body: new Uint8Array(5_000) }) - plain).toBeGreaterThan(
    5_000,
  )
})

test.for([
  ['entries', { entries: 3, bytes: megabyte }],
  ['bytes', { entries: 1_000, bytes: 30_000 }],
] as const)(
  'what was read stays as it was when the journals are full by %s, and its place is used again',
  ([, journal]) => {
    const { sandboxes, handle, observe } = createEmulator({ scenario: scenarioOf({}), startedAt: 0, journal })
    const seen: { readonly exchange: unknown; readonly copy: unknown }[] = []
    observe(exchange => seen.push({ exchange, copy: structuredClone(exchange) }))
    for (let made = 0; made < 60; made += 1) {
      const target = made % 7 === 0 ? '/v1/nowhere' : `/v1/pets?limit=${made}`
      handle({ ...callOf(`w${made % 3}`, ['X-Call', `${made}`]), target, receivedAt: made * 1_000 })
    }
    for (const { exchange, copy } of seen) expect(exchange).toEqual(copy)
    const copies = seen.map(({ copy }) => copy)
    for (const name of ['w0', 'w1', 'w2']) {
      const kept = [...(sandboxes.get(name)?.journal ?? [])]
      expect(kept.length).toBeGreaterThan(0)
      for (const exchange of kept) expect(copies).toContainEqual(exchange)
    }
    expect(sandboxes.journals.evictions).toBeGreaterThan(20)
  },
)

test('with no entries, nothing is kept, and observers still see every call', () => {
  const { sandboxes, handle, observe } = createEmulator({
    scenario: scenarioOf({}),
    startedAt: 0,
    journal: { entries: 0, bytes: megabyte },
  })
  const seen: number[] = []
  observe(({ id }) => seen.push(id))
  handle(callOf('default'))
  handle(callOf('default'))
  const { journal } = sandboxes.default
  expect([seen, journal.size, journal.evicted, sandboxes.journals.bytes]).toEqual([[1, 2], 0, 0, 0])
})

interface Listed {
  readonly id: number
  readonly cost: number
  breaches?: readonly Breach[]
}

const breachesOf = (id: number): readonly Breach[] => [
  { side: 'request', part: 'body', place: `${id}`, message: 'a breach' },
]

/** The journals of a budget, and the same as plain lists. */
function bothWays(limits: { readonly entries: number; readonly bytes: number }, count = 5) {
  const budget = new JournalBudget<{ id: number }>(limits)
  const read = ({ id }: { readonly id: number }) => ({ id }) as never
  const journals = Array.from({ length: count }, () => ({
    journal: new Journal<{ id: number }>(read),
    list: [] as Listed[],
  }))
  for (const { journal } of journals) journal.join(budget)
  const of = (index: number) => journals[index] ?? expect.fail()
  const held = ({ list }: { readonly list: readonly Listed[] }) =>
    list.reduce((all, { cost }) => all + cost, 0)
  const heldByAll = () => journals.reduce((all, each) => all + held(each), 0)
  /** How many each journal got since it was cleared. */
  const added = new Map<Journal<{ id: number }>, number>()
  let id = 0
  let evictions = 0
  const shift = (list: Listed[] | undefined) => {
    list?.shift()
    evictions += 1
  }
  /** Of several that hold most, the budget may choose any: looks for the order in which it chose. */
  const makeRoom = (): boolean => {
    if (heldByAll() <= limits.bytes)
      return journals.every(({ journal, list }) => list.length === journal.size)
    const most = Math.max(...journals.map(held))
    for (const { list } of journals.filter(each => held(each) === most)) {
      const [oldest] = list
      shift(list)
      if (makeRoom()) return true
      if (oldest !== undefined) list.unshift(oldest)
      evictions -= 1
    }
    return false
  }
  return {
    add: (index: number, cost: number) => {
      id += 1
      const { journal, list } = of(index)
      const kept = journal.reuse() ?? { id }
      kept.id = id
      journal.add(kept, cost)
      added.set(journal, (added.get(journal) ?? 0) + 1)
      if (list.length === limits.entries) shift(list)
      list.push({ id, cost })
      expect(makeRoom(), 'the journals dropped what the budget may drop').toBe(true)
    },
    note: (index: number, nth: number) => {
      const { journal, list } = of(index)
      const entry = list[nth]
      journal.note(entry?.id ?? 0, breachesOf(entry?.id ?? 0))
      if (entry !== undefined) entry.breaches = breachesOf(entry.id)
    },
    clear: (index: number) => {
      const { journal, list } = of(index)
      journal.clear()
      added.set(journal, 0)
      list.splice(0)
    },
    rejoin: (index: number) => {
      const { journal } = of(index)
      journal.leave()
      expect(journal.capacity).toBe(0)
      journal.join(budget)
      expect(journal.capacity).toBe(limits.entries)
    },
    compare: () => {
      for (const { journal, list } of journals)
        expect(Array.from(journal, exchange => exchange.id)).toEqual(list.map(entry => entry.id))
      expect([budget.bytes, budget.evictions]).toEqual([heldByAll(), evictions])
    },
    compareAll: () => {
      for (const { journal, list } of journals) {
        const shown = list.map(({ id, breaches }) => (breaches === undefined ? { id } : { id, breaches }))
        const { first, end } = journal
        expect(Array.from(journal.newestFirst()).reverse()).toEqual(shown)
        expect(list.map((_, nth) => journal.at(first + nth))).toEqual(shown)
        expect(list.map(entry => journal.placeOf(entry.id))).toEqual(list.map((_, nth) => first + nth))
        expect([journal.at(first - 1), journal.at(end), journal.placeOf(0), journal.placeOf(id + 1)]).toEqual(
          [undefined, undefined, undefined, undefined],
        )
        expect([journal.size, end - first]).toEqual([list.length, list.length])
        expect([journal.bytes, journal.evicted]).toEqual([
          held({ list }),
          (added.get(journal) ?? 0) - list.length,
        ])
      }
    },
  }
}

/** At the end two journals hold 2,259 bytes. The oldest call of one frees enough, that of the other does not. */
const twoHoldMost = (
  [
    [3, [45, 676, 844, 527, 167]],
    [2, [989, 377, 369, 524]],
    [1, [523, 935]],
    [4, [922, 903]],
    [0, [328, 832, 961, 131]],
  ] as const
).flatMap(([index, costs]) => costs.map(cost => ({ do: 'add' as const, index, cost })))

test('journals keep what a slow and simple budget keeps', () => {
  const index = fc.nat(4)
  const step = fc.oneof(
    {
      weight: 20,
      arbitrary: fc.record({
        do: fc.constant('add' as const),
        index,
        cost: fc.integer({ min: 1, max: 1_000 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('note' as const), index, nth: fc.nat(15) }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom('clear' as const, 'rejoin' as const), index }),
    },
  )
  const limits = fc.constantFrom(
    { entries: 12, bytes: 10_007 },
    { entries: 3, bytes: 10_007 },
    { entries: 40, bytes: 100_000 },
  )
  fc.assert(
    fc.property(limits, fc.array(step, { maxLength: 200, size: 'max' }), (limit, steps) => {
      const both = bothWays(limit)
      for (const each of steps) {
        if (each.do === 'add') both.add(each.index, each.cost)
        else if (each.do === 'note') both.note(each.index, each.nth)
        else both[each.do](each.index)
        both.compare()
      }
      both.compareAll()
    }),
    { numRuns: 15, examples: [[{ entries: 12, bytes: 10_007 }, twoHoldMost]] },
  )
})

test.each([4, 6])('%i journals of different sizes keep what a slow and simple budget keeps', count => {
  const both = bothWays({ entries: 40, bytes: 20_000_000 }, count)
  for (let step = 0; step < 600; step += 1) {
    const [which, what, cost] = [0, 1, 2].map(nth => draw(count, 3 * step + nth)) as [number, number, number]
    const index = Math.floor(which ** 2 * count)
    if (what < 0.05) both.clear(index)
    else both.add(index, 1 + Math.floor(cost * 900_000))
    if (step % 20 === 0) both.compare()
  }
  both.compareAll()
})

/** Journals of one budget, with so many calls of 1 byte each. */
function journalsWith(bytes: number, ...sizes: readonly number[]) {
  const budget = new JournalBudget<{ id: number }>({ entries: 100, bytes })
  const journals = sizes.map(() => new Journal<{ id: number }>(({ id }) => ({ id }) as never))
  let id = 0
  const add = (index: number, calls: number) => {
    for (let n = 0; n < calls; n += 1) {
      id += 1
      journals[index]?.add({ id }, 1)
    }
  }
  for (const journal of journals) journal.join(budget)
  for (const [index, size] of sizes.entries()) add(index, size)
  return { budget, journals, add, sizes: () => journals.map(({ size }) => size) }
}

test('journals that are just full lose nothing', () => {
  const { sizes } = journalsWith(3, 1, 2)
  expect(sizes()).toEqual([1, 2])
})

test('after a journal was cleared, the one that then holds most loses a call', () => {
  const { journals, add, sizes } = journalsWith(10, 5, 4, 1, 0, 0)
  journals[0]?.clear()
  for (const [index, calls] of [
    [3, 2],
    [4, 2],
    [2, 1],
    [3, 1],
  ] as const)
    add(index, calls)
  expect(sizes()).toEqual([0, 3, 2, 3, 2])
})

test('a reader who pauses misses what is dropped meanwhile, and goes on', () => {
  const { journals, add } = journalsWith(3, 3)
  const reader = journals[0]?.[Symbol.iterator]()
  const seen = [reader?.next().value?.id]
  add(0, 2)
  for (let next = reader?.next(); next?.done === false; next = reader?.next()) seen.push(next.value?.id)
  expect(seen).toEqual([1, 3])
})

test('breaches of a call that the journal does not have yet are not kept', () => {
  const { journals, add } = journalsWith(10, 1)
  journals[0]?.note(2, breachesOf(2))
  add(0, 1)
  expect([...(journals[0] ?? [])]).toEqual([{ id: 1 }, { id: 2 }])
})

test.each([
  ['entries', { entries: 3, bytes: megabyte }, 3],
  ['bytes', { entries: 100, bytes: 4_500 }, 5],
])('a journal that is full by %s writes over what it drops', (_, limits, most) => {
  const journal = new Journal<{ id: number }>(({ id }) => ({ id }) as never)
  journal.join(new JournalBudget(limits))
  const made = new Set<object>()
  for (let id = 1; id <= 20; id += 1) {
    const kept = journal.reuse() ?? { id }
    kept.id = id
    made.add(kept)
    journal.add(kept, 1_000)
  }
  expect(made.size).toBe(most)
  expect(Array.from(journal, ({ id }) => id).at(-1)).toBe(20)
})

test('a journal that left its budget keeps what it holds, and nothing more', () => {
  const budget = new JournalBudget<{ id: number }>({ entries: 2, bytes: megabyte })
  const [one, other] = [0, 1].map(() => new Journal<{ id: number }>(({ id }) => ({ id }) as never))
  if (one === undefined || other === undefined) return expect.fail()
  for (const journal of [one, other]) {
    journal.join(budget)
    for (const id of [1, 2, 3]) journal.add({ id }, 10)
  }
  one.leave()
  expect([one.reuse(), budget.bytes]).toEqual([undefined, 20])
  one.add({ id: 4 }, 10)
  one.leave()
  expect([[...one].map(({ id }) => id), one.dropOldest(), one.size, budget.spare]).toEqual([
    [2, 3],
    10,
    1,
    undefined,
  ])
  one.clear()
  expect([one.dropOldest(), one.size, budget.bytes, budget.evictions]).toEqual([0, 0, 20, 2])
})

test('choosing among many sandboxes takes no longer', () => {
  const budget = new JournalBudget<{ readonly id: number }>({ entries: 1_000, bytes: 10_000_000 })
  const read = ({ id }: { readonly id: number }) => ({ id }) as never
  const journals = Array.from({ length: 10_000 }, () => new Journal(read))
  for (const journal of journals) journal.join(budget)
  let compared = 0
  for (const journal of journals) {
    let bytes = 0
    Object.defineProperty(journal, 'bytes', {
      get: () => {
        compared += 1
        return bytes
      },
      set: value => {
        bytes = value
      },
    })
  }
  const calls = 40_000
  for (let id = 1; id <= calls; id += 1) journals[(id * 7919) % 10_000]?.add({ id }, 1_000)
  expect(budget.evictions).toBe(30_000)
  expect(compared / calls).toBeLessThan(200)
})

test('journals that are used in turn lose calls in turn', () => {
  const { sandboxes, handle } = createEmulator({
    scenario: scenarioOf({}),
    startedAt: 0,
    journal: { entries: 1_000, bytes: megabyte / 2 },
  })
  const names = Array.from({ length: 37 }, (_, n) => `box-${n}`)
  for (let round = 0; round < 40; round += 1) for (const name of names) handle(callOf(name))
  const sizes = names.map(name => sandboxes.get(name)?.journal.size ?? 0)
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
  expect(sandboxes.journals.bytes).toBeLessThanOrEqual(megabyte / 2)
  expect(sizes.reduce((sum, size) => sum + size)).toBe(37 * 40 - sandboxes.journals.evictions)
})
