import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { faults, faultTraits } from '../../src/service/call/fault.ts'

/** The cells of a fault's row in the page's table of faults. */
function rowOf(page: string, name: string): readonly string[] {
  const [, table = ''] = readFileSync(page, 'utf8').split(/^\| fault +\|/m)
  const line = table.split('\n').find(text => text.startsWith(`| \`${name}\` `))
  return (line ?? '').split('|').map(cell => cell.trim())
}

test.each(faults)('docs/scenarios.md has a row for the fault %s', name => {
  const { effect, arrives } = faultTraits[name]
  const needsBody = arrives !== 'nothing'
  expect(rowOf('docs/scenarios.md', name)).toEqual(['', `\`${name}\``, effect, needsBody ? 'yes' : 'no', ''])
})

test.each(faults)('docs/msw.md has a row for the fault %s', name => {
  expect(rowOf('docs/msw.md', name)).toHaveLength(5)
})
