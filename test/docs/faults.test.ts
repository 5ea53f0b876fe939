import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { showFlow } from '../../src/control/files/show.ts'
import { exampleOf } from '../../src/control/scenario/settings/faults.ts'
import { faults, faultTraits } from '../../src/service/call/fault.ts'

/** The cells of a row in the table of a page that begins with this heading. */
function rowOf(page: string, heading: string, name: string): readonly string[] {
  const [, table = ''] = readFileSync(page, 'utf8').split(new RegExp(`^\\| ${heading} +\\|`, 'm'))
  const line = table.split('\n').find(text => text.startsWith(`| \`${name}\` `))
  return (line ?? '').split('|').map(cell => cell.trim())
}

const words = faults.filter(name => faultTraits[name].effect !== undefined)
const amounts = faults.flatMap(name => {
  const { amount, breaksBody } = faultTraits[name]
  const { effect = '', forms = [] } = amount ?? {}
  return forms.map(form => [showFlow({ [name]: exampleOf(form) }), effect, breaksBody] as const)
})

test.each(words)('docs/scenarios.md has a row for the fault %s', name => {
  const { effect, breaksBody } = faultTraits[name]
  const needsBody = breaksBody ? 'yes' : 'no'
  expect(rowOf('docs/scenarios.md', 'fault', name)).toEqual(['', `\`${name}\``, effect, needsBody, ''])
})

test.each(amounts)('docs/scenarios.md has a row for the amount %s', (written, effect, breaksBody) => {
  const needsBody = breaksBody ? 'yes' : 'no'
  const row = ['', `\`${written}\``, effect, needsBody, '']
  expect(rowOf('docs/scenarios.md', 'fault with an amount', written)).toEqual(row)
})

test.each(faults)('docs/browser.md says what MSW makes of the fault %s', name => {
  const [, part = ''] = readFileSync('docs/browser.md', 'utf8').split('### What MSW cannot do\n')
  expect(part.split('\n\n')[0]).toContain(`\`${name}\``)
})
