import { expect, test } from 'vitest'
import { draw, fork } from '../../../src/base/random/random.ts'

// The seeds are fixed, so nothing here can pass today and fail tomorrow. Chi-square over k cells has the mean
// k - 1 and a deviation of the root of 2k: the bounds are four of them away.

const count = 65_536

const sequences: [name: string, value: (index: number) => number][] = [
  ['consecutive draws', n => draw(7, n)],
  ['consecutive draws of seed 0', n => draw(0, n)],
  ['every 1000th draw', n => draw(7, n * 1000)],
  ['draws beyond 2^32', n => draw(7, 2 ** 32 * n)],
  ['consecutive seeds', seed => draw(seed, 0)],
  ['consecutive seeds, a later draw', seed => draw(seed, 5)],
  ['consecutive seeds beyond 2^32', seed => draw(2 ** 52 + seed, 0)],
  ['seeds and draws in step', index => draw(index, index)],
  ['forks of consecutive seeds', seed => draw(fork(seed, 'rules'), 0)],
  ['forks by numbered purposes', index => draw(fork(7, `rule-${index}`), 0)],
  ['forks themselves', index => fork(7, `key-${index}`) / 2 ** 32],
]

test.each(sequences)('%s are evenly spread', (_, value) => {
  const cells = new Array<number>(256).fill(0)
  for (let index = 0; index < count; index++) add(cells, Math.floor(value(index) * 256))
  expectEven(cells)
})

test.each(sequences)('%s do not depend on the one before', (_, value) => {
  const cells = new Array<number>(1024).fill(0)
  for (let index = 0; index < count; index++) {
    add(cells, Math.floor(value(index) * 32) * 32 + Math.floor(value(index + 1) * 32))
  }
  expectEven(cells)
})

test.each(sequences)('%s have even low bits', (_, value) => {
  const cells = new Array<number>(256).fill(0)
  for (let index = 0; index < count; index++) add(cells, (value(index) * 2 ** 32) % 256)
  expectEven(cells)
})

test('a turned bit of seed or n turns half of the bits of a draw', () => {
  for (let bit = 0; bit < 53; bit++) {
    let turned = 0
    for (let index = 0; index < 2000; index++) {
      const [seed, n] = [fork(index, 'seed') * 2 ** 20 + index, fork(index, 'n') * 2 ** 20 + index]
      turned += differingBits(draw(seed, n), draw(turnBit(seed, bit), n))
      turned += differingBits(draw(seed, n), draw(seed, turnBit(n, bit)))
    }
    // Of 128 000 bits with a chance of one half each; the deviation is 179.
    expect(Math.abs(turned - 64_000), `bit ${bit}`).toBeLessThan(5 * 179)
  }
})

function add(cells: number[], cell: number) {
  cells[cell] = (cells[cell] ?? 0) + 1
}

function expectEven(cells: readonly number[]) {
  const expected = count / cells.length
  const chiSquare = cells.reduce((sum, observed) => sum + (observed - expected) ** 2 / expected, 0)
  expect(Math.abs(chiSquare - (cells.length - 1))).toBeLessThan(4 * Math.sqrt(2 * cells.length))
}

function turnBit(integer: number, bit: number): number {
  return Number(BigInt(integer) ^ (1n << BigInt(bit)))
}

function differingBits(a: number, b: number): number {
  let bits = ((a * 2 ** 32) ^ (b * 2 ** 32)) >>> 0
  let differing = 0
  for (; bits > 0; bits >>>= 1) differing += bits & 1
  return differing
}
