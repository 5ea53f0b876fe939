import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { snapshotVersion } from '../../src/control/snapshot/saved.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const page = read('docs/stability.md')

test('docs/stability.md names the format of snapshots, and the Nodes of today and of the next version', () => {
  expect(page).toContain(`It is ${snapshotVersion}, the only format so far.`)
  const { engines, version } = JSON.parse(read('package.json'))
  const release = /^\d+\.\d+/.exec(version)?.[0]
  const [, oldest, beyond21] = /^\^([\d.]+)\.0 \|\| >=([\d.]+)\.0$/.exec(engines.node) ?? []
  expect(page).toContain(`pet-mock ${release} runs on Node ${oldest}, and on ${beyond21} or newer.`)
  const next = 'version 0.2 will need Node 22.12'
  expect([page, read('CHANGELOG.md')].filter(text => !text.includes(next))).toEqual([])
})
