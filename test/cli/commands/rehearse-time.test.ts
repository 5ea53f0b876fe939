import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { shippedScenarios } from '../../../src/control/scenario/shipped.ts'
import { runCommand } from '../../support/run-command.ts'

const count = shippedScenarios.size
const client = fileURLToPath(new URL('../../clients/programs/with-got.js', import.meta.url))

/** Times differ from machine to machine, so they are printed and fail nothing. */
async function time(args: readonly string[]): Promise<number> {
  const startedAt = performance.now()
  const { code, stdout } = await runCommand(['rehearse', ...args])
  expect(stdout).toContain(`of ${count} situations passed`)
  expect([0, 1]).toContain(code)
  return performance.now() - startedAt
}

test("pet-mock's own part of a situation", { timeout: 120_000 }, async () => {
  const ms = await time(['--jobs', '1', '--', 'true'])
  process.stdout.write(
    `${count} situations with a command that does nothing: ${Math.round(ms / count)} ms each\n`,
  )
})

test('a client of 20 calls in all situations', { timeout: 300_000 }, async () => {
  const ms = await time(['--jobs', '2', '--', process.execPath, client])
  process.stdout.write(
    `${count} situations with a client of 20 calls, two at once: ${Math.round(ms / 1_000)} s\n`,
  )
})
