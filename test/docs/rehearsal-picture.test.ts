import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { directoryWith } from '../support/directory.ts'
import { findProgram, requireOrSkip } from '../support/requirements.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The words of a picture, without times, which differ from run to run. */
function wordsOf(path: string): string {
  const text = readFileSync(path, 'utf8').replace(/<[^>]*>/g, ' ')
  return text.replace(/\b[\d.]+(?:ms|s|m)(?:[\d.]+s)?\b/g, 'TIME').replace(/\s+/g, ' ')
}

test('docs/rehearsal.svg shows what the command prints', { timeout: 120_000 }, context => {
  requireOrSkip(context, 'script of util-linux', findProgram('script'))
  const file = join(directoryWith({}), 'rehearsal.svg')
  execFileSync(process.execPath, ['--import', 'tsx', 'tools/build/picture/rehearsal.ts', file], { cwd: root })
  expect(wordsOf(file)).toBe(wordsOf(`${root}docs/rehearsal.svg`))
})
