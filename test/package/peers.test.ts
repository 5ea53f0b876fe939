import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { checkVitest, oldestVitest } from '../../src/library/runners/check-vitest.ts'

const { peerDependenciesMeta } = JSON.parse(readFileSync('package.json', 'utf8'))
const { jobs } = parse(readFileSync('.github/workflows/ci.yml', 'utf8'))
const [oldest = [], newest = []]: readonly string[][] = jobs.peers.strategy.matrix.include.map(
  ({ peers }: { readonly peers: string }) => peers.split(' '),
)

/* What the pages say must be what CI tries. */
const ranges = [
  { name: 'vitest', page: 'docs/testing.md', says: /vitest (\d+\.\d+) or newer/ },
  { name: '@playwright/test', page: 'docs/testing.md', says: /Playwright (\d+\.\d+) or newer/ },
  { name: 'msw', page: 'docs/browser.md', says: /yourself: (\d+\.\d+) or newer/ },
]

it.each(ranges)('$name: $page names the oldest version that CI tries', ({ name, page, says }) => {
  expect(Object.keys(peerDependenciesMeta)).toContain(name)
  const [, version] = says.exec(readFileSync(page, 'utf8')) ?? []
  expect(oldest).toContain(`${name}@${version}.0`)
  expect(newest.some(peer => peer.startsWith(`${name}@`))).toBe(true)
})

it('takes the vitest that the page names, and no older one', () => {
  expect(readFileSync('docs/testing.md', 'utf8')).toContain(`vitest ${oldestVitest} or newer`)
  for (const version of ['4.1.0', '4.1.0-beta.1', '4.12.3', '5.0.0', '10.0.0'])
    expect(() => checkVitest(version)).not.toThrow()
  for (const version of ['4.0.18', '3.2.4', '0.34.6'])
    expect(() => checkVitest(version)).toThrow(
      `pet-mock/vitest needs vitest 4.1 or newer; this project has ${version}. Update vitest, or call startPetMock in your tests.`,
    )
})
