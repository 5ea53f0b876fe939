import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { failures } from './failures.ts'

const page = readFileSync(fileURLToPath(new URL('../../docs/failures.md', import.meta.url)), 'utf8')
const rows = [...page.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)]
  .map(([, failure = '', outcome = '']) => ({ failure, outcome }))
  .filter(({ failure }) => !/^(?:failure|-+)$/.test(failure))

test('docs/failures.md lists exactly the failures that are caused here', () => {
  expect(rows.map(({ failure }) => failure).toSorted()).toEqual(Object.keys(failures).toSorted())
})

test.for(rows)('$failure: $outcome', { timeout: 180_000 }, async ({ failure }, context) => {
  await failures[failure]?.(context)
})
