import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { snapshotVersion } from '../../src/control/snapshot/saved.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const page = read('docs/stability.md')

test('docs/stability.md names the format of snapshots, and the Nodes of today and the end of Node 20', () => {
  expect(page).toContain(`It is ${snapshotVersion}, the only format so far.`)
  const { engines, version } = JSON.parse(read('package.json'))
  const release = /^\d+\.\d+/.exec(version)?.[0]
  const [, oldest, beyond21] = /^\^([\d.]+)\.0 \|\| >=([\d.]+)\.0$/.exec(engines.node) ?? []
  expect(page).toContain(`pet-mock ${release} runs on Node ${oldest}, and on ${beyond21} or newer.`)
  const next = /minor\s+releases\s+after\s+30 April 2027\s+need\s+Node\s+22\.12/i
  expect([page, read('CHANGELOG.md')].filter(text => !next.test(text))).toEqual([])
  expect(read('README.md')).toContain('Node 20 until 30 April 2027')
})
