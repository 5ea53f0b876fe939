import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('docs/decisions/dependencies.md', 'utf8')
const { dependencies = {}, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

/** The names in the first column of the tables. */
function rows(text: string): readonly string[] {
  return [...text.matchAll(/^\| ([^|]+)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )
}

test('each dependency has one row, and no row lacks its dependency', () => {
  expect(rows(page).toSorted()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).toSorted())
})
