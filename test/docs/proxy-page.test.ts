import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withProxyChecks } from '../../tools/build/docs-tables.ts'

test('the page has every check of a service, as declared', () => {
  const page = readFileSync('docs/proxy.md', 'utf8')
  expect(page).toBe(withProxyChecks(page))
})
