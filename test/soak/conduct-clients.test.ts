import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { table } from '../../tools/soak/conduct/cells.ts'
import { coverPairs } from '../../tools/soak/conduct/pairs.ts'
import { findPrograms, languageOf, needs, type Programs } from '../../tools/soak/conduct/programs.ts'
import type { CellRun } from '../../tools/soak/conduct/run-cell.ts'
import { runCells } from '../../tools/soak/conduct/run-cells.ts'
import { describeSeen } from '../../tools/soak/conduct/verdicts.ts'
import { requireOrSkip } from '../support/requirements.ts'

const cells = coverPairs(table)

describe('real clients get the verdict of their row, twice', () => {
  const runs: CellRun[] = []
  const folder = mkdtempSync(join(tmpdir(), 'pet-mock-conduct-'))
  let programs: Programs

  beforeAll(async () => {
    programs = findPrograms(folder)
    const runnable = cells.filter(({ plan }) => programs[languageOf(plan.kind)] !== undefined)
    await runCells([...runnable, ...runnable], { programs, folder }, run => runs.push(run))
  }, 600_000)
  afterAll(() => rmSync(folder, { recursive: true }))

  test.for(cells)('$id ($row)', (cell, context) => {
    const language = languageOf(cell.plan.kind)
    requireOrSkip(context, needs[language], programs[language])
    const own = runs.filter(run => run.cell === cell)
    expect(own).toHaveLength(2)
    for (const { holds, seen, output } of own) {
      const verdict = seen === undefined ? 'The client failed.' : `Seen: ${describeSeen(seen)}.`
      expect(holds, `Expected: ${cell.expected.text}. ${verdict}\n${output}`).toBe(true)
    }
  })
})
