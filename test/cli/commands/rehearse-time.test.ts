import { spawnSync } from 'node:child_process'
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
  const program = (code: string) => [process.execPath, '-e', `const http = require('node:http'); ${code}`]
  const oneCall =
    "http.get(process.env.PET_MOCK_URL + '/pets', { headers: { Authorization: 'Bearer ' + process.env.PET_MOCK_KEY } })"
  const ms = await time(['--jobs', '1', '--', ...program(oneCall)])
  const startedAt = performance.now()
  const [node = '', ...args] = program('')
  for (let start = 0; start < count; start += 1) spawnSync(node, args)
  const clientMs = performance.now() - startedAt
  process.stdout.write(`${count} situations with a client of one call: ${Math.round(ms / count)} ms each,\n`)
  process.stdout.write(`of which the client needs ${Math.round(clientMs / count)} ms to start\n`)
})

test('a client of 20 calls in all situations', { timeout: 300_000 }, async () => {
  const ms = await time(['--jobs', '2', '--', process.execPath, client])
  process.stdout.write(
    `${count} situations with a client of 20 calls, two at once: ${Math.round(ms / 1_000)} s\n`,
  )
})
