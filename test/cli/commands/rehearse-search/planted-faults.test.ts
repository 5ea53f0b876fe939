import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { directoryWith } from '../../../support/directory.ts'
import { runCommand } from '../../../support/run-command.ts'

const client = fileURLToPath(new URL('../../../clients/programs/with-faults.js', import.meta.url))
const words = [process.execPath, client]

/** What breaks the client, as the lines of the scenario have it. */
const faults = [
  ['retries at once', /minute: 5\d|banKey/],
  ['reads seconds as milliseconds', /minute: 5\d|banKey|Retry-After: 1/],
  ['knows no dates', /retryAfter: http-date/],
  ['creates again', /fault: (?:reset|empty|truncate|malformed)/],
  ['gives up when banned', /banKey|bans/],
  ['trusts each body', /fault: malformed/],
] as const

describe('rehearse --search', () => {
  test.each(faults)('finds a client that %s', { timeout: 300_000 }, async (fault, cause) => {
    const cwd = directoryWith({})
    const env = { FAULT: fault }
    const searched = await runCommand(
      ['rehearse', '--search', '--max-runs', '100', '--seed', '1', '--', ...words],
      {
        env,
        cwd,
      },
    )
    expect(searched).toMatchObject({ code: 1, stderr: expect.not.stringContaining('Error') })
    expect(searched.stdout).toMatch(/Found in \d+ runs: exit code 1 in 4 of 4 runs/)
    const text = await readFile(join(cwd, 'breaks.yaml'), 'utf8')
    expect(searched.stdout).toContain(text)
    // The situation is short; its walkthrough has each call of the client.
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(12)
    expect(text).toMatch(cause)

    const played = await runCommand(['scenarios', 'play', 'breaks.yaml'], { cwd })
    expect(played).toMatchObject({ code: 0 })
    const again = await runCommand(['exec', '--scenario', 'breaks.yaml', '--', ...words], { env, cwd })
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('Error') })
    const right = await runCommand(['exec', '--scenario', 'breaks.yaml', '--', ...words], { cwd })
    expect(right).toMatchObject({ code: 0 })
    const rehearse = ['rehearse', '--add', 'breaks.yaml', '--only', 'breaks.yaml', '--', ...words]
    const refused = await runCommand(rehearse, { env, cwd })
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('failed with exit code 1') })
    expect(await runCommand(rehearse, { cwd })).toMatchObject({ code: 0 })
  })

  test('finds nothing in a right client', { timeout: 300_000 }, async () => {
    const cwd = directoryWith({})
    const searched = await runCommand(
      ['rehearse', '--search', '--max-runs', '103', '--jobs', '4', '--', ...words],
      { cwd },
    )
    expect(searched.stdout).toContain('Nothing found in 100 runs')
    expect(searched.code).toBe(0)
  })
})
