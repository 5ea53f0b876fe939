import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

type Changes = readonly (readonly [original: string, ...replacements: string[]])[]

test('each equivalent mutant is of code that exists', () => {
  const text = readFileSync('tools/mutation/equivalents.yaml', 'utf8')
  const files: Readonly<Record<string, Readonly<Record<string, Changes>>>> = parse(text)
  const gone = Object.entries(files).flatMap(([file, reasons]) => {
    const code = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const originals = Object.values(reasons).flatMap(changes =>
      changes.map(([original]) => original.replace(/^…/, '')),
    )
    return originals.filter(original => !code.includes(original)).map(original => `${file}: ${original}`)
  })
  expect(gone).toEqual([])
})
