import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fetchLimits, hostLimit, pageLimits, redirectLimit } from '../support/doors/limits.ts'

test('docs/msw.md prints every kind of request that a door leaves out, with its reason', () => {
  const everywhere = fetchLimits.map(limit => ({ ...limit, where: 'Node and browsers' }))
  const inPages = [...pageLimits, redirectLimit].map(limit => ({
    ...limit,
    where: limit === hostLimit ? 'browsers; Node with MSW 3' : 'browsers',
  }))
  const rows = [...everywhere, ...inPages].map(({ what, where, why }) => `| ${what} | ${where} | ${why} |\n`)
  const page = readFileSync('docs/msw.md', 'utf8')
  expect(page.slice(page.indexOf('| what | where | why |'))).toContain(
    `| what | where | why |\n| --- | --- | --- |\n${rows.join('')}\n`,
  )
})
