import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fetchLimits, pageLimits, redirectLimit } from '../support/doors/limits.ts'

const page = readFileSync('docs/browser.md', 'utf8')

test('docs/browser.md lists every kind of request that a door leaves out, with its reason', () => {
  const [, list = ''] = /^You cannot make these calls\. The last three .*\n\n((?:- .*\n)*)/m.exec(page) ?? []
  const inPages = [...pageLimits, redirectLimit]
  expect(inPages).toHaveLength(3)
  expect(list.trimEnd().split('\n')).toEqual(
    [...fetchLimits, ...inPages].map(({ what, why }) => `- ${what}: ${why}`),
  )
})
