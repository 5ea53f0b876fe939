import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fetchLimits, hostLimit, pageLimits, redirectLimit } from '../support/doors/limits.ts'

test('docs/msw.md prints every kind of request that a door leaves out, with its reason', () => {
  const inPages = [...pageLimits, redirectLimit].map(({ what, why }) => {
    const where = what === hostLimit.what ? 'browsers; Node with MSW 3' : 'browsers'
    return [what, where, why]
  })
  const rows = [...fetchLimits.map(({ what, why }) => [what, 'Node and browsers', why]), ...inPages]
  const page = readFileSync('docs/msw.md', 'utf8')
  const [, table = ''] = /^\| what +\| where +\| why +\|\n\|[- |]+\|\n((?:\|.*\n)*)/m.exec(page) ?? []
  const printed = [...table.matchAll(/^\| (.*?) +\| (.*?) +\| (.*?) +\|$/gm)].map(([, ...cells]) => cells)
  expect(printed).toEqual(rows)
})
