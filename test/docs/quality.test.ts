import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rooms } from '../../tools/mutation/room.ts'

const page = readFileSync('docs/contributors/quality.md', 'utf8')

/** The parts that tests must notice. Most tests of doors, commands and the library start processes, and take no part. */
const least: Readonly<Record<string, number>> = { base: 0.75, doors: 0.55, cli: 0.3, library: 0.4 }

test('docs/contributors/quality.md: every chosen mutant of each room was tried, and tests notice at least 85 %, or the least of their room', () => {
  const rows = [...page.matchAll(/^\| `src\/(\w+)\/` +\| (\d+) \(.*?\) +\| (\d+) +\| (\d+) /gm)]
  // A run of all rooms takes hours, so a new room may still lack its row.
  expect(Object.keys(rooms)).toEqual(expect.arrayContaining(rows.map(([, room]) => room)))
  expect(rows.length).toBeGreaterThanOrEqual(3)
  for (const [, room = '', mutants, tried, killed] of rows) {
    expect([room, tried]).toEqual([room, mutants])
    expect(Number(killed) / Number(tried)).toBeGreaterThanOrEqual(least[room] ?? 0.85)
  }
})
