import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checks } from '../../src/judges/conformance/checks.ts'

test('docs/contract.md and the README have the number of checks', () => {
  const count = Object.keys(checks).length
  expect(readFileSync('docs/contract.md', 'utf8')).toContain(`Each of the ${count} [checks](fidelity.md`)
  expect(Math.round(count / 10)).toBe(9)
  expect(readFileSync('README.md', 'utf8')).toContain('with about ninety checks')
})
