import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { showFlow } from '../../src/control/files/show.ts'
import { exampleOf } from '../../src/control/scenario/settings/rules.ts'
import { faults, faultTraits } from '../../src/service/call/fault.ts'

const page = readFileSync('docs/scenarios.md', 'utf8').split('\n')

const words = faults.filter(name => faultTraits[name].effect !== undefined)
const amounts = faults.flatMap(name => {
  const { amount, breaksBody } = faultTraits[name]
  const { effect = '', forms = [] } = amount ?? {}
  return forms.map(form => [showFlow({ [name]: exampleOf(form) }), effect, breaksBody] as const)
})

test.each(words)('docs/scenarios.md has a line for the fault %s', name => {
  const { effect, breaksBody } = faultTraits[name]
  expect(page).toContain(`- \`${name}\`${breaksBody ? '\\*' : ''}: ${effect}`)
})

test.each(amounts)('docs/scenarios.md has a line with the amount %s', (written, effect, breaksBody) => {
  const line = page.find(
    text => text.startsWith('- ') && text.includes(`\`${written}\``) && text.endsWith(`: ${effect}`),
  )
  expect(line?.includes('`\\*: ')).toBe(breaksBody)
})

test.each(faults)('docs/browser.md says what MSW makes of the fault %s', name => {
  const [, part = ''] = readFileSync('docs/browser.md', 'utf8').split('### What MSW cannot do\n')
  expect(part.split('\n\n')[0]).toContain(`\`${name}\``)
})
