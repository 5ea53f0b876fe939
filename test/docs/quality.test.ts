import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('docs/quality.md', 'utf8')

test('docs/quality.md: every chosen mutant of each room was tried, and tests notice at least 85 %', () => {
  const rows = [...page.matchAll(/^\| `src\/(\w+)\/` +\| (\d+) \(.*?\) +\| (\d+) +\| (\d+) /gm)]
  expect(rows.map(([, room]) => room)).toEqual(['service', 'emulator', 'judges'])
  for (const [, room, mutants, tried, killed] of rows) {
    expect([room, tried]).toEqual([room, mutants])
    expect(Number(killed) / Number(tried)).toBeGreaterThanOrEqual(0.85)
  }
})
