import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../src/base/json/value.ts'
import { draw, fork } from '../../../src/base/random/random.ts'
import { drawDelay } from '../../../src/emulator/rules/delay.ts'
import type { Facts } from '../../../src/emulator/rules/match.ts'
import { firstCall, type Rule, type When } from '../../../src/emulator/rules/rule.ts'
import { RuleBook, seedOfKey } from '../../../src/emulator/rules/rule-book.ts'
import type { OperationId } from '../../../src/service/operations/operations.ts'

const start = Date.UTC(2026, 2, 2)
const second = 1_000

interface Given {
  readonly method?: string
  readonly path?: string
  readonly key?: string
  readonly plan?: string
  readonly operation?: OperationId | undefined
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: JsonValue
}

function call(given: Given = {}): Facts {
  const { method = 'GET', path = '/v1/pets', key = 'demo-free', plan = 'free', query = {} } = given
  const operation = 'operation' in given ? given.operation : 'listPets'
  return {
    method,
    // Of two targets that are the same, the operation is, too.
    target: `${path}?${JSON.stringify(query)} ${operation}`,
    key,
    plan,
    path: () => path,
    operation: () => operation,
    query: () => Object.entries(query).map(([name, value]) => ({ name, value, raw: '' })),
    body: () => given.body,
  }
}

function rule(name: string, over: Partial<Rule> = {}): Rule {
  const answer = { status: 503, headers: {}, body: '' }
  return { name, match: {}, when: {}, effect: { answer }, ...over }
}

const late = (ms: number): Rule['effect'] => ({ delay: { kind: 'fixed', ms } })

/** Which of a key's calls a book acts on: the numbers of the calls, from 1. */
function acted(book: RuleBook, calls: number, at = (_call: number) => start, key = 'demo-free'): number[] {
  const numbers = Array.from({ length: calls }, (_, index) => index + 1)
  return numbers.filter(number => book.consult(call({ key }), at(number)) !== undefined)
}

describe('when', () => {
  test.each<[string, When, number[]]>([
    ['nothing said', {}, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['the first two', { first: 2 }, [1, 2]],
    ['every third', { every: 3 }, [3, 6, 9]],
    ['after five calls', { afterCalls: 5 }, [6, 7, 8, 9]],
    ['the first eight, after five', { first: 8, afterCalls: 5 }, [6, 7, 8]],
    ['every second of the first five', { first: 5, every: 2 }, [2, 4]],
    ['after three seconds', { afterMs: 3 * second }, [4, 5, 6, 7, 8, 9]],
    ['between two and four seconds', { between: [2 * second, 4 * second] }, [3, 4]],
    ['between, and every second call', { between: [2 * second, 7 * second], every: 2 }, [4, 6]],
    ['always, by chance', { probability: 1 }, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ])('%s', (_, when, expected) => {
    const book = new RuleBook(1, [rule('a', { when })], start)
    // The first call is at the start, each further one a second later.
    expect(acted(book, 9, number => start + (number - 1) * second)).toEqual(expected)
  })

  test('it counts for each key by itself', () => {
    const book = new RuleBook(1, [rule('a', { when: { first: 2 } })], start)
    expect(acted(book, 3)).toEqual([1, 2])
    expect(acted(book, 3, () => start, 'demo-pro')).toEqual([1, 2])
  })

  test('it counts the calls that match, and no others', () => {
    const book = new RuleBook(
      1,
      [rule('a', { match: { operation: 'createPet' }, when: { first: 1 } })],
      start,
    )
    expect(acted(book, 5)).toEqual([])
    expect(book.consult(call({ operation: 'createPet' }), start)?.rules).toEqual(['a'])
  })

  test('it counts a call though an earlier rule acts on it', () => {
    const rules = [rule('a', { when: { first: 2 } }), rule('b', { when: { first: 3 } })]
    const book = new RuleBook(1, rules, start)
    const names = Array.from({ length: 4 }, () => book.consult(call(), start)?.rules)
    expect(names).toEqual([['a'], ['a'], ['b'], undefined])
  })
})

describe('which rules act', () => {
  const rules = [
    rule('late', { effect: late(100) }),
    rule('not now', { when: { every: 2 }, effect: late(1) }),
    rule('later still', { effect: late(50) }),
    rule('reset', { effect: { ...late(7), fault: 'reset' } }),
    rule('never reached', {}),
  ]

  test('delays add up, the first answer or fault ends the search', () => {
    expect(new RuleBook(1, rules, start).consult(call(), start)).toEqual({
      rules: ['late', 'later still', 'reset'],
      delayMs: 157,
      requestDelayMs: 0,
      direction: undefined,
      answer: undefined,
      fault: 'reset',
    })
  })

  test('some delays are before the call', () => {
    const lateBefore = (ms: number): Rule['effect'] => ({ ...late(ms), direction: 'request' })
    const after = rule('after', { effect: { ...late(7), direction: 'response' } })
    const both = [
      rule('a', { effect: lateBefore(5) }),
      after,
      rule('b', { effect: lateBefore(6) }),
      rule('c', { effect: late(1) }),
    ]
    expect(new RuleBook(1, both, start).consult(call(), start)).toMatchObject({
      delayMs: 19,
      requestDelayMs: 11,
    })
    const slow = Array.from({ length: 4 }, (_, index) => rule(`${index}`, { effect: lateBefore(300_000) }))
    expect(new RuleBook(1, slow, start).consult(call(), start)).toMatchObject({
      delayMs: 600_000,
      requestDelayMs: 600_000,
    })
  })

  test('together they hold nothing back for more than ten minutes', () => {
    const slow = Array.from({ length: 4 }, (_, index) => rule(`${index}`, { effect: late(300_000) }))
    expect(new RuleBook(1, slow, start).consult(call(), start)?.delayMs).toBe(600_000)
  })

  test('none: nothing comes of it', () => {
    const book = new RuleBook(1, [rule('a', { match: { plan: 'pro' } })], start)
    expect(book.consult(call(), start)).toBeUndefined()
  })
})

describe('match', () => {
  const sold = { status: 'sold', broken: undefined }
  const rex = { name: 'Rex', categoryId: 9007199254740993n }
  test.each<[string, Rule['match'], Given, boolean]>([
    ['anything', {}, {}, true],
    ['an operation', { operation: 'getPet' }, { operation: 'getPet' }, true],
    ['another operation', { operation: 'getPet' }, {}, false],
    ['no operation', { operation: 'getPet' }, { operation: undefined }, false],
    ['a method', { method: 'POST' }, { method: 'POST' }, true],
    ['GET, for HEAD', { method: 'GET' }, { method: 'HEAD' }, true],
    ['HEAD, not for GET', { method: 'HEAD' }, {}, false],
    ['a path', { path: '/v1/pets/{petId}' }, { path: '/v1/pets/7' }, true],
    ['another method, not for HEAD', { method: 'POST' }, { method: 'HEAD' }, false],
    ['two parameters', { query: { status: 'sold', limit: '1' } }, { query: { limit: '1', ...sold } }, true],
    ['one of two parameters', { query: { status: 'sold', limit: '1' } }, { query: sold }, false],
    ['a key', { key: 'demo-*' }, {}, true],
    ['another key', { key: 'my-*' }, {}, false],
    ['a plan', { plan: 'free' }, {}, true],
    ['a parameter', { query: { status: 'sold' } }, { query: sold }, true],
    ['any value of one', { query: { status: '*' } }, { query: sold }, true],
    ['a parameter that is not there', { query: { cursor: '*' } }, { query: sold }, false],
    ['one that cannot be decoded', { query: { broken: '*' } }, { query: sold }, false],
    ['a part of the body', { body: '{"name":"Rex"}' }, { body: rex }, true],
    ['an int64 of the body', { body: '{"categoryId":9007199254740993}' }, { body: rex }, true],
    ['its neighbour', { body: '{"categoryId":9007199254740992}' }, { body: rex }, false],
    ['a body, where there is none', { body: '{}' }, {}, false],
    ['all of it', { method: 'GET', plan: 'free', key: 'demo-free' }, {}, true],
    ['not all of it', { method: 'GET', plan: 'pro', key: 'demo-free' }, {}, false],
  ])('%s', (_, match, facts, expected) => {
    const book = new RuleBook(1, [rule('a', { match })], start)
    expect(book.consult(call(facts), start) !== undefined).toBe(expected)
  })
})

test('what is known of a target is of this method, this key and its plan, and goes when there are too many', () => {
  const book = new RuleBook(
    1,
    [rule('a', { match: { plan: 'free', method: 'GET', query: { q: '1*' } } })],
    start,
  )
  const acts = (given: Given) => book.consult(call(given), start) !== undefined
  for (let number = 0; number < 2_500; number += 1) {
    expect(acts({ query: { q: `${number}` } })).toBe(`${number}`.startsWith('1'))
    const asked = { query: { q: '1' } }
    expect(acts(asked)).toBe(true)
    expect(acts({ ...asked, method: 'POST' })).toBe(false)
    expect(acts({ ...asked, plan: 'pro' })).toBe(false)
    expect(acts({ ...asked, key: 'other' })).toBe(true)
  }
})

test('a body of a rule must be JSON', () => {
  expect(() => new RuleBook(1, [rule('a', { match: { body: '{' } })], start)).toThrow(
    /^A rule's match\.body is not JSON: .+\.$/,
  )
})

describe('a rule retires', () => {
  test('when it has acted so often, over all keys', () => {
    const book = new RuleBook(1, [rule('a', { times: 3 })], start)
    const keys = ['x', 'y', 'x', 'y', 'x']
    expect(keys.map(key => book.consult(call({ key }), start) !== undefined)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })

  test('when its time is over', () => {
    const book = new RuleBook(1, [rule('a', { ttlMs: 2 * second })], start)
    expect(acted(book, 4, number => start + (number - 1) * second)).toEqual([1, 2])
  })

  test('and the next one has its turn', () => {
    const book = new RuleBook(1, [rule('a', { times: 1 }), rule('b')], start)
    const names = Array.from({ length: 2 }, () => book.consult(call(), start)?.rules)
    expect(names).toEqual([['a'], ['b']])
  })
})

describe('changes', () => {
  test('a rule that is added goes first, and its time begins then', () => {
    const book = new RuleBook(1, [rule('a')], start)
    book.add(rule('b', { ttlMs: second }), start + 60 * second)
    expect(book.consult(call(), start + 60.5 * second)?.rules).toEqual(['b'])
    expect(book.consult(call(), start + 61 * second)?.rules).toEqual(['a'])
    expect(book.list().map(({ rule, added, since }) => [rule.name, added, since])).toEqual([
      ['b', true, start + 60 * second],
      ['a', false, start],
    ])
  })

  test('one of the same name makes room for it, with its counts', () => {
    const book = new RuleBook(1, [rule('a', { when: { first: 1 } })], start)
    acted(book, 5)
    book.add(rule('a', { when: { first: 1 } }), start)
    expect(book.size).toBe(1)
    expect(acted(book, 5)).toEqual([1])
  })

  test('one is removed by its name', () => {
    const book = new RuleBook(1, [rule('a'), rule('b')], start)
    expect([book.remove('a'), book.remove('a'), book.size]).toEqual([true, false, 1])
  })

  test('one is switched off and on by its name, and keeps its counts', () => {
    const book = new RuleBook(1, [rule('a', { when: { first: 2 } }), rule('b')], start)
    const acting = () => book.consult(call(), start)?.rules
    expect(acting()).toEqual(['a'])
    book.turn('a', false)
    expect([acting(), book.list().map(({ off }) => off)]).toEqual([['b'], [true, undefined]])
    expect(book.list()[1]).not.toHaveProperty('off')
    const restored = RuleBook.restore(book.save())
    expect(restored.consult(call(), start)?.rules).toEqual(['b'])
    book.turn('a', true)
    expect([acting(), acting()]).toEqual([['a'], ['b']])
  })

  test('the calls of one key are forgotten', () => {
    const book = new RuleBook(1, [rule('a', { when: { first: 1 } })], start)
    const keys = ['x', 'y'] as const
    const acting = () => keys.map(key => book.consult(call({ key }), start) !== undefined)
    expect([acting(), acting()]).toEqual([
      [true, true],
      [false, false],
    ])
    book.forget('x')
    expect(acting()).toEqual([true, false])
  })

  test('what came after the start moves back with the clock: added by hand, or by a save in its future', () => {
    const book = new RuleBook(1, [rule('a')], start)
    book.replace([rule('a'), rule('saved later')], start + 8)
    book.replace([rule('a'), rule('saved later'), rule('saved then')], start + 3)
    book.replace([rule('a'), rule('saved later'), rule('saved then'), rule('saved before')], start + 2)
    book.add(rule('b'), start)
    book.moveBack(5, start + 3)
    const times = book.list().map(({ rule, since }) => [rule.name, since - start])
    expect(times).toEqual([
      ['b', -5],
      ['a', 0],
      ['saved later', 3],
      ['saved then', 3],
      ['saved before', 2],
    ])
  })

  test('other rules of the scenario: counts go on where the name is the same, added ones stay', () => {
    const book = new RuleBook(1, [rule('a', { when: { first: 3 } }), rule('gone')], start)
    acted(book, 2)
    book.add(rule('mine', { when: { every: 100 } }), start)
    book.replace([rule('new', { when: { every: 100 } }), rule('a', { when: { first: 4 } })], start + second)
    const told = book.list().map(({ rule, since, calls, acted }) => [rule.name, since, calls, acted])
    expect(told).toEqual([
      ['mine', start, {}, 0],
      ['new', start + second, {}, 0],
      ['a', start, { 'demo-free': 2 }, 2],
    ])
    expect(acted(book, 5)).toEqual([1, 2])
  })

  test('a rule that was added, and one of the scenario by the same name: one rule, whose counts go on', () => {
    const book = new RuleBook(1, [rule('a', { when: { every: 100 } })], start)
    book.add(rule('outage', { when: { first: 3 } }), start + second)
    acted(book, 2)
    const reloaded = [rule('a', { when: { every: 100 } }), rule('outage', { when: { first: 4 } })]
    book.replace(reloaded, start + 60 * second)
    const told = book
      .list()
      .map(({ rule, added, since, calls, acted }) => [rule.name, added, since, calls, acted])
    expect(told).toEqual([
      ['a', false, start, { 'demo-free': 2 }, 0],
      ['outage', false, start + second, { 'demo-free': 2 }, 2],
    ])
    expect(acted(book, 5)).toEqual([1, 2])
    book.replace([rule('a')], start + 90 * second)
    expect(book.list().map(({ rule }) => rule.name)).toEqual(['a'])
  })
})

const anyRules = fc
  .array(
    fc.record({
      when: fc.record(
        {
          first: fc.integer({ min: 1, max: 20 }),
          every: fc.integer({ min: 1, max: 4 }),
          afterCalls: fc.integer({ min: 1, max: 5 }),
          probability: fc.double({ min: 0.05, max: 1, noNaN: true }),
        },
        { requiredKeys: [] },
      ),
      effect: fc.constantFrom<Rule['effect']>(
        { fault: 'hang' },
        { delay: { kind: 'uniform', fromMs: 0, toMs: 1_000 } },
        { delay: { kind: 'lognormal', medianMs: 80, p99Ms: 900 }, fault: 'slow' },
      ),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map(rules => rules.map(({ when, effect }, index) => rule(`rule-${index}`, { when, effect })))

describe('chance', () => {
  test('the n-th call of a key has the same fate however calls are interleaved', () => {
    const keys = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 10, maxLength: 60 })
    fc.assert(
      fc.property(fc.nat(), anyRules, keys, fc.array(fc.nat()), (seed, rules, order, picks) => {
        const fates = (keysInOrder: readonly string[]) => {
          const book = new RuleBook(seed, rules, start)
          const met = keysInOrder.map(key => ({ key, outcome: book.consult(call({ key }), start) }))
          return ['a', 'b', 'c'].map(key => met.filter(fate => fate.key === key))
        }
        const left = [...order]
        const shuffled = picks.flatMap(pick => left.splice(pick % Math.max(1, left.length), 1)).concat(left)
        expect(fates(shuffled)).toEqual(fates(order))
        expect(fates(order.filter(key => key === 'a'))[0]).toEqual(fates(order)[0])
      }),
    )
  })

  test('rules and keys do not share their luck', () => {
    const half = (name: string) => rule(name, { when: { probability: 0.5 } })
    const fate = (name: string, key: string) =>
      acted(new RuleBook(1, [half(name)], start), 64, () => start, key)
    const fates = [fate('a', 'x'), fate('b', 'x'), fate('a', 'y')].map(numbers => numbers.join())
    expect(new Set(fates).size).toBe(3)
    expect(fate('a', 'x')).toEqual(fate('a', 'x'))
  })

  test('a key has the same luck under its name in a box, which has its seed', () => {
    const book = new RuleBook(1, [rule('a', { when: { probability: 0.5 } })], start)
    const fate = (key: string) => acted(book, 64, () => start, key)
    const seed = seedOfKey('demo-free').toString(16).padStart(8, '0')
    expect(fate(`key-12-${seed}`)).toEqual(fate('demo-free'))
    // What only looks like one has luck of its own.
    expect(fate(`key-x-${seed}`)).not.toEqual(fate('demo-free'))
    expect([seedOfKey('key-1-0a1b2c3d'), seedOfKey('key-345-ffffffff')]).toEqual([0x0a1b2c3d, 0xffffffff])
  })

  test('of 100 rules over 10 000 calls, each acts as often as its seed says, and twice the same', () => {
    const seed = 7
    const share = (index: number) => (index + 1) / 101
    const rules = Array.from({ length: 100 }, (_, index) =>
      rule(`rule-${index}`, { when: { probability: share(index) }, effect: late(0) }),
    )
    const counts = () => {
      const book = new RuleBook(seed, rules, start)
      for (let number = 0; number < 10_000; number += 1) book.consult(call(), start)
      return book.list().map(({ acted }) => acted)
    }
    const found = counts()
    expect(counts()).toEqual(found)
    for (const [index, count] of found.entries()) {
      const own = fork(fork(0, 'demo-free'), `rule rule-${index} ${seed}`)
      const drawn = Array.from({ length: 10_000 }, (_, call) => draw(own, call + 1) < share(index))
      expect(count).toBe(drawn.filter(Boolean).length)
      // Five standard deviations: a seed that is fair is never so far off.
      const deviation = Math.sqrt(10_000 * share(index) * (1 - share(index)))
      expect(Math.abs(count - 10_000 * share(index))).toBeLessThan(5 * deviation)
    }
  })
})

describe('delays', () => {
  const drawn = (delay: NonNullable<Rule['effect']['delay']>) => {
    const book = new RuleBook(3, [rule('a', { effect: { delay } })], start)
    return Array.from({ length: 20_000 }, () => book.consult(call(), start)?.delayMs ?? Number.NaN).sort(
      (a, b) => a - b,
    )
  }
  const quantile = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)]

  test('a uniform one has every length alike', () => {
    const lengths = drawn({ kind: 'uniform', fromMs: 100, toMs: 300 })
    expect(lengths[0]).toBe(100)
    expect(lengths.at(-1)).toBe(300)
    for (const share of [0.1, 0.25, 0.5, 0.75, 0.9]) {
      expect(quantile(lengths, share)).toBeCloseTo(100 + 200 * share, -1)
    }
  })

  test('a lognormal one has the median and the 99th percentile that are asked for', () => {
    const lengths = drawn({ kind: 'lognormal', medianMs: 80, p99Ms: 900 })
    expect(Math.abs((quantile(lengths, 0.5) ?? 0) - 80)).toBeLessThan(4)
    expect(Math.abs((quantile(lengths, 0.99) ?? 0) - 900)).toBeLessThan(90)
    expect(lengths.every(Number.isInteger)).toBe(true)
  })

  test('a lognormal one without a spread is fixed', () => {
    expect(new Set(drawn({ kind: 'lognormal', medianMs: 80, p99Ms: 80 }))).toEqual(new Set([80]))
  })
})

test('a book that was saved and put back through JSON goes on as the original does', () => {
  const steps = fc.array(fc.constantFrom('a', 'b'), { maxLength: 30 })
  fc.assert(
    fc.property(fc.nat(), anyRules, steps, steps, (seed, rules, before, after) => {
      const original = new RuleBook(seed, rules, start)
      for (const key of before) original.consult(call({ key }), start)
      original.add(rule('mine', { when: { first: 1 }, match: { key: 'a' } }), start)
      const copy = RuleBook.restore(JSON.parse(JSON.stringify(original.save())))
      expect(JSON.stringify(copy.save())).toEqual(JSON.stringify(original.save()))
      for (const key of after) {
        expect(copy.consult(call({ key }), start)).toEqual(original.consult(call({ key }), start))
      }
    }),
    { numRuns: 50 },
  )
})

test.each<[When, number | undefined]>([
  [{}, 1],
  [{ every: 3 }, 3],
  [{ afterCalls: 5 }, 6],
  [{ every: 3, afterCalls: 5 }, 6],
  [{ every: 3, afterCalls: 6 }, 9],
  [{ every: 3, afterCalls: 6, first: 9 }, 9],
  [{ every: 3, afterCalls: 6, first: 8 }, undefined],
])('the first call with %j is %j', (when, call) => {
  expect(firstCall(when)).toBe(call)
})

test('a seed has the same delays in every version', () => {
  const of = (delay: Parameters<typeof drawDelay>[0]) => [1, 2, 3, 4].map(n => drawDelay(delay, 7, n))
  expect(of({ kind: 'uniform', fromMs: 0, toMs: 1_000 })).toEqual([841, 279, 956, 203])
  expect(of({ kind: 'lognormal', medianMs: 80, p99Ms: 900 })).toEqual([180, 107, 27, 318])
})
