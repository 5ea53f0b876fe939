import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { StrykerMutant } from '../../tools/mutation/mutants.ts'
import { readMutants, sample } from '../../tools/mutation/mutants.ts'
import { Results } from '../../tools/mutation/results.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'pet-mock-mutants-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

/** A mutant for each `<` of a text, as Stryker reports it. */
function mutantsOf(text: string): readonly StrykerMutant[] {
  return text.split('\n').flatMap((code, line) =>
    [...code.matchAll(/<=?/g)].map(({ index, 0: found }, nth) => ({
      id: `${line}-${nth}`,
      fileName: 'code.ts',
      mutatorName: 'EqualityOperator',
      replacement: '>',
      location: { start: { line, column: index }, end: { line, column: index + found.length } },
    })),
  )
}

function keysOf(text: string): readonly string[] {
  const root = folder()
  writeFileSync(join(root, 'code.ts'), text)
  return readMutants(root, mutantsOf(text)).map(({ key }) => key)
}

const twins = `export function first(a: number) {
  return a < 1 && a < 2
}

export class Second {
  one(a: number) {
    return a < 3
  }

  two(a: number) {
    return a < 4
  }
}
`

test('a mutant keeps its key until the function or the method around it changes', () => {
  const before = keysOf(twins)
  expect(new Set(before).size).toBe(4)
  const after = keysOf(`// A new line.\n${twins.replace('a < 4', 'a < 5')}`)
  expect(after.map((key, index) => key === before[index])).toEqual([true, true, true, false])
})

test('a change elsewhere does not exchange the sample', () => {
  const many = (extra: string) => {
    const root = folder()
    const text = `${Array.from({ length: 60 }, (_, at) => `export const c${at} = (a: number) => a < ${at}`).join('\n')}${extra}`
    writeFileSync(join(root, 'code.ts'), text)
    return sample(readMutants(root, mutantsOf(text)), 10, 1).map(({ key }) => key)
  }
  const before = many('')
  expect(before).toHaveLength(10)
  const kept = many('\nexport const more = (a: number) => a < 99').filter(key => before.includes(key))
  expect(kept.length).toBeGreaterThanOrEqual(9)
})

test('a run goes on where the last one stopped, and tries again what may have changed', () => {
  const root = folder()
  const write = (name: string, text: string) => writeFileSync(join(root, name), text)
  const open = (budget = 1_000, isFresh = false) =>
    new Results(root, join(root, 'results.json'), ['a.test.ts', 'b.test.ts'], budget, isFresh)
  write('a.test.ts', 'a')
  write('b.test.ts', 'b')
  const killedBy = (file: string) => ({ status: 'killed', killer: { file, test: 't', message: '' } }) as const
  const first = open()
  expect(first.filesToTry('killed')).toBe('all')
  first.set('killed', killedBy('a.test.ts'))
  first.set('killed too', killedBy('b.test.ts'))
  first.set('survived', { status: 'survived' })
  first.set('endless', { status: 'timeout' })
  first.save()
  const toTry = (results: Results) =>
    ['killed', 'killed too', 'survived', 'endless', 'new'].map(key => results.filesToTry(key))
  expect(toTry(open())).toEqual(['none', 'none', 'none', 'none', 'all'])
  expect(toTry(open(2_000))).toEqual(['none', 'none', 'all', 'none', 'all'])
  expect(toTry(open(1_000, true))).toEqual(['all', 'all', 'all', 'all', 'all'])
  write('b.test.ts', 'better')
  expect(toTry(open())).toEqual(['none', 'all', ['b.test.ts'], 'none', 'all'])
})
