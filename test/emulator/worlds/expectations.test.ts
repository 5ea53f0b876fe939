import { expect, it } from 'vitest'
import { Expectations, isOpen } from '../../../src/emulator/worlds/expectations.ts'

const ids = (expectations: Expectations, sandbox: string, ...exchanges: readonly number[]) =>
  exchanges.map(exchange => expectations.covering(sandbox, exchange, 'slow')?.id)

it('covers a finding from an exchange on, until its sandbox restarts', () => {
  const expectations = new Expectations()
  const expectation = expectations.expect('a', 'slow', 5)
  expect([isOpen(expectation), expectation.from]).toEqual([true, 5])
  expect(ids(expectations, 'a', 4, 5, 1_000)).toEqual([undefined, 'slow', 'slow'])
  expect(ids(expectations, 'b', 5)).toEqual([undefined])
  expect(expectations.covering('a', 5, 'other')).toBeUndefined()
  expectations.end('a', 8)
  expect([isOpen(expectation), expectation.to]).toEqual([false, 8])
  expect(ids(expectations, 'a', 7, 8)).toEqual(['slow', undefined])
  // A later restart ends it no second time.
  expectations.end('a', 12)
  expect(expectation.to).toBe(8)
})

it('is one expectation while it is open', () => {
  const expectations = new Expectations()
  const first = expectations.expect('a', 'slow', 5)
  expect(expectations.expect('a', 'slow', 9)).toBe(first)
  const other = expectations.expect('a', 'other', 6)
  const elsewhere = expectations.expect('b', 'slow', 1)
  expectations.end('a', 20)
  const later = expectations.expect('a', 'slow', 20)
  expect(expectations.of('a')).toEqual([first, other, later])
  expect(expectations.of('c')).toEqual([])
  expect(expectations.all()).toEqual([first, other, later, elsewhere])
  expect(ids(expectations, 'a', 4, 5, 19, 20)).toEqual([undefined, 'slow', 'slow', 'slow'])
})

it('forgets the oldest of more than 10 000 that ended', () => {
  const expectations = new Expectations()
  for (let n = 0; n < 10_000; n += 1) expectations.expect(`s${Math.floor(n / 2)}`, `id ${n}`, 1)
  for (let n = 0; n < 5_000; n += 1) expectations.end(`s${n}`, 2)
  expect([expectations.all().length, expectations.forgotten]).toEqual([10_000, 0])
  const open = expectations.expect('more', 'open', 1)
  expectations.expect('one more', 'slow', 1)
  expectations.end('one more', 2)
  expect(expectations.of('s0').map(({ id }) => id)).toEqual(['id 1'])
  expectations.expect('one more', 'slow', 2)
  expectations.end('one more', 3)
  expect([expectations.of('s0'), expectations.forgotten]).toEqual([[], 2])
  expect(expectations.all()).toContain(open)
  expect(expectations.all()).toHaveLength(10_001)
})
