import { execFile } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { isMsw3, msw3 } from '../../support/msw-version.ts'
import { installPackage } from '../../support/package.ts'
import { findNode, requireOrSkip } from '../../support/requirements.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))
beforeAll(async () => {
  await run('npm', ['ci', '--ignore-scripts'], { cwd: msw3 })
}, 300_000)

const vitest = join(root, 'node_modules/vitest/vitest.mjs')

test('on an older Node, importing the handlers says that MSW 3 cannot work', async context => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 12)) context.skip('this Node is new enough')
  const { app, remove } = installPackage()
  onTestFinished(remove)
  symlinkSync(join(msw3, 'node_modules/msw'), join(app, 'node_modules/msw'))
  const args = ['--input-type=module', '-e', "import 'pet-mock/msw'"]
  await expect(run(process.execPath, args, { cwd: app })).rejects.toThrow(
    /\bError: pet-mock: MSW 3\.\S+ needs Node 22\.12\.0 or newer, and this is Node /,
  )
})

/* MSW 3 needs a newer Node than pet-mock supports, so its tests are a separate run. */
test('MSW 3 on Node 24 gives the same answers', {
  timeout: 600_000,
}, async context => {
  if (isMsw3) context.skip('this run has MSW 3 already')
  const node = requireOrSkip(context, 'Node 24, and no registry that has it', findNode('24', root))
  const args = [
    'run',
    'test/api/bans',
    'test/api/limits',
    'test/api/create-pet',
    'test/api/rules',
    'test/library/msw/handlers',
    'test/library/msw/fake-timers',
    '-t',
    'through MSW in Node|handlers for MSW|fake timers',
  ]
  const env = { ...process.env, PET_MOCK_TEST_MSW: '3', TEST_DOORS: '', TEST_COUNTS: '', NO_COLOR: '1' }
  const { stdout } = await run(node, [vitest, ...args], {
    cwd: root,
    env,
    maxBuffer: 2 ** 26,
  })
  const [, passed, failed] = /^(\d+) passed, (\d+) failed/m.exec(stdout) ?? []
  expect([Number(passed) > 150, failed]).toEqual([true, '0'])
})
