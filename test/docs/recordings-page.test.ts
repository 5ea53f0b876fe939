import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { archive, archiveEntry } from '../support/archives.ts'
import { followPage } from '../support/follow-page.ts'
import { needPosix } from '../support/requirements.ts'

needPosix('signals')

test('the page records, plays and compares', { timeout: 120_000 }, async () => {
  const calls = Array.from({ length: 65 }, (_, index) => archiveEntry({ at: index * 10 }))
  const traffic = async (url: string) => {
    for (let made = 0; made < 4; made += 1) {
      const response = await fetch(`${url}/pets`, { headers: { Authorization: 'Bearer demo-free' } })
      await response.text()
    }
  }
  const { cwd, commands } = await followPage('docs/recordings.md', {
    files: { 'calls.har': archive(calls) },
    service: '-s rate-limit-exhaustion',
    traffic,
  })
  expect(commands).toBe(5)
  expect(readFileSync(join(cwd, 'calls.yaml'), 'utf8')).toContain('walkthrough:')
})
