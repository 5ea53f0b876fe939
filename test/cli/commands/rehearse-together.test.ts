import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Certificate } from '../../../src/judges/rehearsal/certificate.ts'
import { directoryWith } from '../../support/directory.ts'
import { runCommand } from '../../support/run-command.ts'

const client = fileURLToPath(new URL('../../clients/programs/few-calls.js', import.meta.url))

const situations = [
  'ban',
  'broken-connections',
  'flaky',
  'outage',
  'precision',
  'rate-limit-exhaustion',
  'retry-after-zoo',
  'shared-key',
]

/** What each situation came to, without times. */
async function verdicts(jobs: number) {
  const cwd = directoryWith({})
  const flags = ['--only', `${situations}`, '--jobs', `${jobs}`, '--report', 'c.json']
  const words = [process.execPath, client, 'list', 'create', 'get', '--doubles']
  await runCommand(['rehearse', ...flags, '--', ...words], { cwd })
  const certificate: Certificate = JSON.parse(readFileSync(join(cwd, 'c.json'), 'utf8'))
  return certificate.situations.map(({ name, result, reasons, recovery, conduct, unmet }) => ({
    name,
    result,
    reasons: reasons.map(({ id }) => id),
    recovery: recovery.kind,
    conduct: conduct.map(({ id, severity, count }) => `${severity} ${id} ${count}`),
    unmet,
  }))
}

test('situations have the same verdicts alone and together', { timeout: 300_000 }, async () => {
  const alone = await verdicts(1)
  expect(alone.map(({ name }) => name).toSorted()).toEqual(situations)
  expect(new Set(alone.map(({ result }) => result)).size).toBeGreaterThan(1)
  expect(await verdicts(situations.length)).toEqual(alone)
})
