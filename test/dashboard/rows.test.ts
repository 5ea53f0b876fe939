import { describe, expect, test } from 'vitest'
import {
  addNewer,
  type CallRow,
  dropBefore,
  fillGap,
  mostRows,
  type Row,
} from '../../src/dashboard/traffic/rows.ts'

function call(id: number): CallRow {
  return {
    kind: 'call',
    id,
    sandbox: 'default',
    at: '2026-03-02T12:00:00Z',
    method: 'GET',
    target: '/v1/pets',
    path: '/v1/pets',
    status: 200,
    code: null,
    operation: 'listPets',
    key: 'demo-f…',
    plan: 'free',
    refused: false,
    synthetic: false,
    durationMs: 1,
    left: undefined,
  }
}

/** Calls from the newest to the oldest id. */
const calls = (newest: number, oldest: number) =>
  Array.from({ length: newest - oldest + 1 }, (_, index) => call(newest - index))

/** `5 4 (2-3) 1`: a gap has its ids in brackets. */
const show = (rows: readonly Row[]) =>
  rows.map(row => (row.kind === 'call' ? `${row.id}` : `(${row.from}-${row.to})`)).join(' ')

describe('rows', () => {
  test.each([
    ['no rows yet', [], calls(3, 1), 0, '3 2 1'],
    ['the next calls', calls(2, 1), calls(4, 3), 2, '4 3 2 1'],
    ['calls after a rush', calls(2, 1), calls(9, 8), 2, '9 8 (3-7) 2 1'],
    ['a page that opens late', [], calls(9, 8), 0, '9 8 (1-7)'],
    ['a page that opens after a reset', [], calls(9, 8), 5, '9 8 (6-7)'],
    ['nothing new', calls(2, 1), [], 2, '2 1'],
  ])('newer calls: %s', (_name, rows, newer, known, expected) => {
    expect(show(addNewer(rows, newer, known))).toBe(expected)
  })

  test('two gaps side by side are one', () => {
    const rows = addNewer([], calls(9, 8), 0)
    expect(show(addNewer(dropBefore(rows, 1).slice(2), calls(20, 20), 7))).toBe('20 (1-19)')
  })

  test('the page keeps ten thousand rows', () => {
    const full = addNewer([], calls(mostRows, 1), 0)
    const rows = addNewer(full, calls(mostRows + 5, mostRows + 1), mostRows)
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([mostRows, call(mostRows + 5), call(6)])
  })

  const gap = { kind: 'gap', from: 3, to: 7 } as const
  test.each([
    ['all of it', calls(7, 3), '9 8 7 6 5 4 3 2'],
    ['its newest calls', calls(7, 6), '9 8 7 6 (3-5) 2'],
    ['some of it', [call(6), call(4)], '9 8 (7-7) 6 (5-5) 4 (3-3) 2'],
    ['nothing', [], '9 8 (3-7) 2'],
    ['others', calls(9, 8), '9 8 (3-7) 2'],
  ])('a gap is filled with %s', (_name, found, expected) => {
    expect(show(fillGap([...calls(9, 8), gap, call(2)], gap, found))).toBe(expected)
  })

  test.each([
    [1, '9 8 (3-7) 2'],
    [3, '9 8 (3-7)'],
    [5, '9 8 (5-7)'],
    [9, '9'],
    [10, ''],
  ])('the server forgot what came before %i', (first, expected) => {
    expect(show(dropBefore([...calls(9, 8), gap, call(2)], first))).toBe(expected)
  })
})
