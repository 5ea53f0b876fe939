import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { compileSurvivors } from '../../tools/mutation/compile.ts'
import type { Mutant } from '../../tools/mutation/mutants.ts'
import { Results } from '../../tools/mutation/results.ts'
import type { Room } from '../../tools/mutation/room.ts'

const code = `export function first(texts: readonly string[]): string {
  const [one] = texts
  return one === undefined ? '' : one.trim()
}
`

function project(): string {
  const root = mkdtempSync(join(tmpdir(), 'pet-mock-compile-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'src/toy'), { recursive: true })
  writeFileSync(join(root, 'src/toy/code.ts'), code)
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  const compilerOptions = { strict: true, noUncheckedIndexedAccess: true, noEmit: true, types: [] }
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'))
  return root
}

const mutant = (original: string, replacement: string): Mutant => {
  const start = code.indexOf(original)
  const rest = { id: replacement, file: 'src/toy/code.ts', line: 1, mutator: 'x' }
  return { ...rest, key: replacement, start, original, replacement }
}

test('of what survived, the results have what the compiler rejects', () => {
  const root = project()
  const mutants = [mutant('one === undefined', 'false'), mutant("''", '"else"'), mutant('trim', 'trimm')]
  const results = new Results(root, join(root, 'results.json'), [], 1_000, true)
  for (const { key } of mutants) results.set(key, { status: key === 'trimm' ? 'killed' : 'survived' })
  const compile = () => {
    const lines: string[] = []
    compileSurvivors(root, { room: 'toy', mutants, results } as unknown as Room, line => lines.push(line))
    return lines
  }
  expect(compile()).toEqual(['toy: compiling 2 survivors'])
  expect(mutants.map(({ key }) => results.get(key)?.compiles)).toEqual([false, true, undefined])
  expect(compile()).toEqual([])
  expect(readFileSync(join(root, 'src/toy/code.ts'), 'utf8')).toBe(code)
})
