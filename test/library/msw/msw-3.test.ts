import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { mswPackage } from '../../support/msw-version.ts'
import { findNode, requireOrSkip } from '../../support/requirements.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const vitest = join(root, 'node_modules/vitest/vitest.mjs')

/* MSW 3 needs a newer Node than pet-mock supports, so its tests are a separate run. */
test('MSW 3 on Node 24 gives the same answers', {
  timeout: 600_000,
}, async context => {
  if (mswPackage === 'msw-3') context.skip('this run has MSW 3 already')
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
  const { stdout } = await promisify(execFile)(node, [vitest, ...args], {
    cwd: root,
    env,
    maxBuffer: 2 ** 26,
  })
  const [, passed, failed] = /^(\d+) passed, (\d+) failed/m.exec(stdout) ?? []
  expect([Number(passed) > 150, failed]).toEqual([true, '0'])
})
