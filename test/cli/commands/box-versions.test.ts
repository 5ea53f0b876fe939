import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { followPage } from '../../support/follow-page.ts'
import { findNode, needPosix, requireOrSkip } from '../../support/requirements.ts'
import { runCommand } from '../../support/run-command.ts'

needPosix('signals')

const bundle = fileURLToPath(new URL('../../../dist/pet-mock.cjs', import.meta.url))

/** Calls until the quota is used up, and then fails. */
const failing = `const { PET_MOCK_URL: url, PET_MOCK_KEY: key } = process.env
for (let call = 0; call < 4; call += 1)
  await (await fetch(url + '/pets', { headers: { Authorization: 'Bearer ' + key } })).text()
process.exitCode = 1`

test('the page records, shows and plays', async () => {
  const { cwd, commands } = await followPage('docs/box.md', { files: { 'failing.mjs': failing } })
  expect(commands).toBe(4)
  expect(readdirSync(cwd)).toContain('run.petbox')
})

describe.each(['22', '24', '26'])('Node %s', version => {
  test('plays a box of this Node', async context => {
    const cwd = directoryWith({ 'failing.mjs': failing })
    const flags = ['-s', 'flaky', '--add-key', 'own-key-0123456789=pro', '--box', 'run.petbox']
    const { code } = await runCommand(['exec', ...flags, '--', process.execPath, 'failing.mjs'], { cwd })
    expect(code).toBe(1)
    const node = requireOrSkip(context, `Node ${version}`, findNode(version, cwd))
    const stdout = execFileSync(node, [bundle, 'box', 'play', 'run.petbox'], { cwd, encoding: 'utf8' })
    expect(stdout).toBe('4 calls: all responses are those of the run.\n')
  })
})

test('rehearse --box keeps the failed runs alone', async () => {
  const cwd = directoryWith({ 'failing.mjs': failing.replace('process.exitCode = 1', '') })
  const args = ['rehearse', '--only', 'ban,free-plan', '--repeat', '2', '--box', 'boxes']
  const { code, stderr } = await runCommand([...args, '--', process.execPath, 'failing.mjs'], { cwd })
  expect(code).toBe(1)
  expect(readdirSync(join(cwd, 'boxes')).sort()).toEqual(['ban-2.petbox', 'ban.petbox'])
  expect(stderr).toContain('pet-mock: the failed runs are in ')
  const played = await runCommand(['box', 'play', 'boxes/ban.petbox'], { cwd })
  expect(played).toMatchObject({ code: 0, stdout: '4 calls: all responses are those of the run.\n' })
})
