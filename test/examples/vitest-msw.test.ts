import { expect, test } from 'vitest'
import { installExample } from '../support/example.ts'

test('examples/vitest-msw: its types and its tests are well', { timeout: 300_000 }, async context => {
  const example = await installExample('vitest-msw', context)
  const { code, output } = await example.run('npm', 'test')
  expect(output).toMatch(/Tests {2}8 passed \(8\)/)
  expect(code).toBe(0)
})
