import { fileURLToPath } from 'node:url'
import { describe, expect, it, type TestContext } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { runCommand } from '../../support/run-command.ts'
import { openTerminal } from '../../support/terminal.ts'

const command = `'${process.execPath}' '${fileURLToPath(new URL('../../../dist/pet-mock.cjs', import.meta.url))}'`
const scenario = 'extends: free-plan\nclock: { at: 2026-03-02T09:00:00Z, frozen: true }\n'

/** A server in a terminal, ready for keys. */
async function serveInTerminal(context: TestContext, TERM = 'dumb') {
  const directory = directoryWith({ 'standing.yaml': scenario, 'wrong.yaml': 'extends: bna\n' })
  const env = { TMPDIR: directory, BROWSER: 'echo', TERM }
  const terminal = await openTerminal(context, env)
  terminal.type(`${command} --port 0 -s '${directory}/standing.yaml'\r`)
  const [, url = ''] = await terminal.until(/API +(\S+)\r/)
  return { ...terminal, env, url }
}

describe('in a terminal', () => {
  it('each key acts and prints a line', async context => {
    const { type, until, url } = await serveInTerminal(context)
    await until(/Press +h for help, q or Ctrl\+C to quit\r\n\r\n/)
    const status = async () =>
      (await fetch(`${url}/pets`, { headers: { Authorization: 'Bearer demo-free' } })).status
    type('h')
    for (const key of 'rtfsbohq') await until(new RegExp(`› ${key}  \\S`))
    type('t')
    await until(/› Clock: 2026-03-02T09:01:00Z, frozen\.\r\n/)
    type('f')
    await until(/› Clock: 2026-03-02T09:01:00\S*, running\.\r\n/)
    type('F')
    await until(/› Clock: 2026-03-02T09:\S+, frozen\.\r\n/)
    type('b')
    await until(/› Banned demo-free until 2026-03-02T09:0\S+Z\.\r\n/)
    expect(await status()).toBe(429)
    type('b')
    await until(/› Lifted the ban of demo-free\.\r\n/)
    expect(await status()).toBe(200)
    type('r')
    await until(/› Restarted \S+standing\.yaml\.\r\n/)
    // An arrow and Alt+q do nothing.
    type('\x1b[A\x1bqs')
    await until(
      /^\s*› This terminal cannot show a list\. In another terminal, run pet-mock scenarios use NAME\.\r\n/,
    )
    type('o')
    await until(/› Opening http:\/\/127\.0\.0\.1:\d+\/__admin\/\r\n/)
    type('q')
    await until(/› Quitting\.\r\n.*prompt> /)
  })

  it('s opens a list to choose a scenario from', async context => {
    const { type, until, url } = await serveInTerminal(context, 'xterm')
    await until(/to quit\r\n\r\n/)
    const status = async () =>
      (await fetch(`${url}/pets`, { headers: { Authorization: 'Bearer demo-free' } })).status
    type('s')
    await until(/Scenario: type to filter.*\(1 of \d+\)\r\n❯ \S+standing\.yaml/)
    expect(await status()).toBe(200)
    // The log goes on above it.
    await until(/GET \/v1\/pets +200 [\s\S]*❯ \S+standing\.yaml/)
    // Letters filter: q quits nothing here.
    type('Q')
    await until(/› Q/)
    type('\x7foutag')
    await until(/❯ outage[\s\S]*› outag/)
    type('\r')
    await until(/› Scenario outage: .*\. Its key is demo-free\.\r\n/)
    expect(await status()).toBe(503)
    type('swrong.yaml\r')
    await until(/› \S+wrong\.yaml:1:10: extends: bna is neither .* did you mean ban\?\r\n/)
    type('s')
    await until(/❯ outage/)
    type('\x1b')
    // Right after Escape, a letter would be Alt and the letter.
    await until(/\[J$/)
    type('t')
    await until(/› Clock: /)
    type('s')
    await until(/❯ outage/)
    type('\x03')
    await until(/prompt> /)
    type('stty -a\r')
    expect((await until(/isig[\s\S]*prompt> /))[0]).toMatch(/isig icanon[\s\S]* echo /)
  })

  it('Ctrl+C quits and restores the terminal', async context => {
    const { type, until } = await serveInTerminal(context)
    await until(/to quit\r\n\r\n/)
    type('t')
    await until(/› Clock:/)
    type('\x03')
    await until(/prompt> /)
    type('stty -a\r')
    const [settings] = await until(/isig[\s\S]*prompt> /)
    expect(settings).toMatch(/isig icanon/)
    expect(settings).toMatch(/ echo /)
  })

  it('Ctrl+Z suspends it, bg and fg resume it', async context => {
    const { type, until, url, env } = await serveInTerminal(context)
    await until(/to quit\r\n\r\n/)
    type('t')
    await until(/› Clock:/)
    type('\x1a')
    await until(/Stopped[\s\S]*prompt> /)
    type('fg\r')
    await until(/pet-mock/)
    type('t')
    await until(/› Clock: 2026-03-02T09:02:00Z/)
    type('\x1a')
    await until(/Stopped[\s\S]*prompt> /)
    type('bg\r')
    await until(/prompt> /)
    // In the background it answers requests, and the shell gets the keys.
    expect((await runCommand(['clock', '--url', url], { env })).stdout).toContain('2026-03-02T09:02:00Z')
    type('echo still $((40 + 2))\r')
    await until(/still 42/)
    type('kill %1; wait %1\r')
    await until(/prompt> /)
  })
})
