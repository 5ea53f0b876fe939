import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findProgram, needPosix, requireOrSkip } from '../support/requirements.ts'
import { serveJson } from '../support/run-command.ts'

needPosix('shell')

test('a sandbox expects a finding by the command of docs/conduct.md', async context => {
  requireOrSkip(context, 'curl', findProgram('curl'))
  const { ready } = await serveJson([])
  await fetch(`${ready.admin}/sandboxes/worker-3`, { method: 'PUT' })
  const [command = ''] = /^curl .*$/m.exec(readFileSync('docs/conduct.md', 'utf8')) ?? []
  const { stdout } = spawnSync('sh', ['-c', command.replace('curl', 'curl -sSf')], {
    encoding: 'utf8',
    env: { ...process.env, PET_MOCK_ADMIN: ready.admin },
  })
  expect(JSON.parse(stdout)).toMatchObject({ id: 'banned', sandbox: 'worker-3' })
})
