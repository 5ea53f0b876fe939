import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rooms } from '../../tools/mutation/room.ts'

const page = readFileSync('docs/contributors/quality.md', 'utf8')

test('docs/contributors/quality.md: every chosen mutant of each room was tried, and tests notice at least 85 %', () => {
  const rows = [...page.matchAll(/^\| `src\/(\w+)\/` +\| (\d+) \(.*?\) +\| (\d+) +\| (\d+) /gm)]
  // A run of all rooms takes hours, so a new room may still lack its row.
  expect(Object.keys(rooms)).toEqual(expect.arrayContaining(rows.map(([, room]) => room)))
  expect(rows.length).toBeGreaterThanOrEqual(3)
  for (const [, room, mutants, tried, killed] of rows) {
    expect([room, tried]).toEqual([room, mutants])
    expect(Number(killed) / Number(tried)).toBeGreaterThanOrEqual(0.85)
  }
})
