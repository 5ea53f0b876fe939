import { describe, expect, it, test } from 'vitest'
import { table } from '../../tools/soak/conduct/cells.ts'
import { coverPairs, factorsOf, pairsOf } from '../../tools/soak/conduct/pairs.ts'
import { formatFailures, formatSummary } from '../../tools/soak/conduct/report.ts'
import {
  everyCall,
  fromTheThird,
  noError,
  ofNewConnections,
  type Seen,
} from '../../tools/soak/conduct/verdicts.ts'

describe('the cells that cover all pairs', () => {
  const cover = coverPairs(table)

  it('have each pair of values that any cell has', () => {
    const covered = new Set(cover.flatMap(pairsOf))
    expect(table.flatMap(pairsOf).filter(pair => !covered.has(pair))).toEqual([])
  })

  it('are few, from every row, and the same each time', () => {
    expect(cover.length).toBeLessThan(80)
    expect(new Set(cover.map(({ row }) => row))).toEqual(new Set(table.map(({ row }) => row)))
    expect(coverPairs(table)).toEqual(cover)
  })

  it('have the kind, the shape, the pause and the number of early calls as values', () => {
    const cell = table.find(({ id }) => id.startsWith('agent loop sockets=50 early=3 pause=300 calls=same'))
    expect(cell && factorsOf(cell)).toEqual([
      'kind agent-50',
      'early 3-20',
      'pause 50-300',
      'calls same',
      'shape loop',
    ])
  })
})

const seen = (
  code: number,
  findings: readonly [id: string, severity: string, count: number][],
  unjudged = 0,
) =>
  ({
    code,
    unjudged,
    findings: findings.map(([id, severity, count]) => ({ id, severity, count, text: '' })),
  }) satisfies Seen

describe('expected verdicts', () => {
  test.each([
    ['every call', everyCall(2, 'same'), seen(1, [['early-retry', 'error', 2]]), true],
    ['every call, one missing', everyCall(2, 'same'), seen(1, [['early-retry', 'error', 1]], 1), false],
    ['every call, and exit code 0', everyCall(2, 'same'), seen(0, [['early-retry', 'error', 2]]), false],
    ['two other calls', everyCall(2, 'different'), seen(0, [['called-while-limited', 'warning', 2]]), true],
    [
      'three other calls',
      everyCall(3, 'different'),
      seen(0, [['called-while-limited', 'warning', 3]]),
      false,
    ],
    ['two calls not judged', fromTheThird(3, 'same'), seen(1, [['early-retry', 'error', 1]], 2), true],
    ['two calls passed over', fromTheThird(3, 'same'), seen(1, [['early-retry', 'error', 1]]), false],
    ['two calls of three, silently', fromTheThird(2, 'same'), seen(0, []), false],
    ['one call, not judged', ofNewConnections(1, 'same', 'stops'), seen(0, [], 1), true],
    ['one call, silently', ofNewConnections(1, 'same', 'stops'), seen(0, []), false],
    ['one call, and a return', ofNewConnections(1, 'same', 'returns'), seen(0, [], 1), false],
    ['a warning', noError, seen(0, [['called-while-limited', 'warning', 1]]), true],
    ['an error that is allowed', noError, seen(0, [['early-retry', 'error', 1]]), false],
  ])('%s', (_name, expected, found, holds) => {
    expect(expected.holds(found)).toBe(holds)
  })
})

test('a report says which cells failed, with what was expected and seen, and counts by row', () => {
  const [cell] = table
  if (cell === undefined) throw new Error('the table is empty')
  const output = 'ready\n0.1-2.0 429 /pets'
  const run = { cell, holds: false, isDisturbed: false, seen: seen(0, [], 1), output }
  const result = {
    results: [{ cell, runs: 3, failures: [run, run] }],
    missing: ['curl'],
    again: 2,
    left: 4,
    minutes: 12.3,
  }
  expect(formatFailures(result)).toBe(
    `FAILED  ${cell.id}  (${cell.row}): 2 of 3 runs
  expected  1 finding, exit code 1
  seen      no finding, 1 not judged, exit code 0, 2 times
              ready
              0.1-2.0 429 /pets
`,
  )
  const summary = formatSummary(result)
  expect(summary).toContain('Not run: no curl.\nRuns made again, because the machine held up a call')
  expect(summary).toContain(': 2.\nRuns for which there was no time: 4.')
  expect(summary).toMatch(/^\| one caller in sequence over kept connections \| 1 +\| 3 +\| 1 +\| 2 +\|$/m)
})
