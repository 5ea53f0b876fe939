import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { directoryWith } from '../support/directory.ts'
import { runCommand } from '../support/run-command.ts'

/** Rehearses a program of this folder. Returns the lines about each situation, and the report as text. */
async function rehearse(program: string, only: string) {
  const report = join(directoryWith({}), 'report.json')
  const command = [process.execPath, fileURLToPath(new URL(`programs/${program}.js`, import.meta.url))]
  const { code, stdout } = await runCommand([
    ...['rehearse', '--jobs', '2', '--timeout', '30s'],
    ...['--only', only, '--report', report, '--', ...command],
  ])
  return { code, stdout, report: readFileSync(report, 'utf8') }
}

test('a client that trusts its own clock is refused where the clock of the service is off, in both directions', async () => {
  const { code, stdout, report } = await rehearse(
    'with-own-clock',
    'retry-after,clock-skew,clock-skew-behind',
  )
  expect(stdout).toMatch(/✓ {2}retry-after +passed +0 +– /)
  // It waits three minutes too long, or calls at once.
  expect(stdout).toMatch(/✕ {2}clock-skew +failed +0 +– +after \d/)
  expect(stdout).toMatch(/✕ {2}clock-skew-behind +failed +1 +\d failing/)
  expect(stdout).toMatch(/✕ early-retry/)
  expect(report).toContain('X-RateLimit-Reset was over by the clock of the client, not of the service')
  expect(code).toBe(1)
})

test('a client that reads seconds only is refused for each form of a date, by its name', async () => {
  const { code, stdout, report } = await rehearse('with-seconds-only', 'retry-after,retry-after-zoo')
  expect(stdout).toMatch(/✓ {2}retry-after +passed +0 +– /)
  expect(stdout).toMatch(/✕ {2}retry-after-zoo +failed +0 +1 failing/)
  for (const form of ['an IMF-fixdate', 'an RFC 850 date', 'an asctime date'])
    expect(report).toContain(`Retry-After was ${form}`)
  expect(code).toBe(1)
})

test('no client is refused for a Retry-After that nobody can read', async () => {
  const { code, stdout } = await rehearse('with-seconds-only', 'retry-after-hostile')
  expect(stdout).toMatch(/✓ {2}retry-after-hostile +passed +\d/)
  expect(code).toBe(0)
})
