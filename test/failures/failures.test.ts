import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { failures } from './failures.ts'

const page = readFileSync(fileURLToPath(new URL('../../docs/stability.md', import.meta.url)), 'utf8')
const [, section = ''] = page.split('\n## Crashes and full disks\n')
const rows = [...section.replace(/\n## [\s\S]*/, '').matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)]
  .map(([, failure = '', outcome = '']) => ({ failure, outcome }))
  .filter(({ failure }) => !/^(?:failure|-+)$/.test(failure))

test('docs/stability.md lists exactly the failures that are caused here', () => {
  expect(rows.map(({ failure }) => failure).toSorted()).toEqual(Object.keys(failures).toSorted())
})

test.for(rows)('$failure: $outcome', { timeout: 180_000 }, async ({ failure }, context) => {
  await failures[failure]?.(context)
})
