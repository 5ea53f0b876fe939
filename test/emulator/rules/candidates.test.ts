import { expect, it } from 'vitest'
import type { Facts } from '../../../src/emulator/rules/match.ts'
import { Candidates } from '../../../src/emulator/rules/rule-book.ts'

/** Two rules, of which the first matches the key `a` alone, and how often they were asked. */
function countingCandidates() {
  let asked = 0
  const rule = (name: string, fits: (facts: Facts) => boolean) => ({
    name,
    matcher: {
      fitsHead: (facts: Facts) => {
        asked += 1
        return fits(facts)
      },
      fitsBody: undefined,
    },
  })
  const candidates = new Candidates([rule('one', ({ key }) => key === 'a'), rule('all', () => true)])
  const namesOf = (target: string, over: Partial<Facts> = {}) => {
    const facts = { method: 'GET', target, key: 'a', plan: 'free', ...over } as Facts
    return candidates.of(facts).map(({ name }) => name)
  }
  return { namesOf, asked: () => asked / 2 }
}

it('asks the rules once for calls that are alike', () => {
  const { namesOf, asked } = countingCandidates()
  const differing: readonly Partial<Facts>[] = [{}, { key: 'b' }, { plan: 'pro' }, { method: 'HEAD' }]
  for (let round = 1; round <= 3; round += 1) {
    const names = differing.map(over => namesOf('/v1/pets', over))
    expect(names).toEqual([['one', 'all'], ['all'], ['one', 'all'], ['one', 'all']])
    expect(namesOf('/v1/pets/1')).toEqual(['one', 'all'])
    expect(asked()).toBe(5)
  }
})

it.each([
  [256, 2],
  [257, 4],
])('asks them for targets of %i characters in turn: %i times', (length, times) => {
  const { namesOf, asked } = countingCandidates()
  for (const text of ['x', 'y', 'x', 'y']) namesOf(text.repeat(length))
  expect(asked()).toBe(times)
})

it('keeps a thousand calls, and then begins anew', () => {
  const { namesOf, asked } = countingCandidates()
  for (let n = 0; n < 1_000; n += 1) namesOf(`/${n}`)
  namesOf('/0')
  expect(asked()).toBe(1_000)
  namesOf('/1000')
  namesOf('/0')
  expect(asked()).toBe(1_002)
  for (let n = 1_001; n < 1_999; n += 1) namesOf(`/${n}`)
  namesOf('/0')
  expect(asked()).toBe(2_000)
})
