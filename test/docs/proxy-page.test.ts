import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { serviceChecks, serviceIds } from '../../src/judges/service/checks.ts'

test('the page has every finding on a service, with its severity', () => {
  const page = readFileSync('docs/proxy.md', 'utf8')
  const rows = [...page.matchAll(/^\| `([a-z-]+)` +\| (error|warning|info) +\| /gm)].map(([, ...row]) => row)
  expect(rows).toEqual(serviceIds.map(id => [id, serviceChecks[id].severity]))
})
