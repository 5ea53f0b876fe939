import { describe, expect, test } from 'vitest'
import { type ClientOptions, runClient } from '../../../src/cli/clients/run-client.ts'
import type { Io } from '../../../src/cli/terminal/io.ts'
import { shippedScenarios } from '../../../src/control/scenario/shipped.ts'
import { expectGone } from '../../support/processes.ts'

const stream = { writableLength: 0, write: () => true, on: () => undefined }
const io: Io = {
  env: process.env,
  pid: process.pid,
  stdout: stream,
  stderr: stream,
  onSignal: () => {},
  isSentToAll: () => false,
  isInteractive: () => false,
  exit: () => {},
}

async function run(command: readonly string[], options: Partial<ClientOptions> = {}, name = 'free-plan') {
  const scenario = shippedScenarios.get(name) ?? {}
  return runClient({ name, scenario }, { command, timeoutMs: 20_000, ...options }, io)
}

const node = (code: string) => [process.execPath, '--input-type=module', '-e', code]

async function ran(...args: Parameters<typeof run>) {
  const result = await run(...args)
  if (!result.ok) throw new Error(result.text)
  return result.run
}

describe('a command in a situation', () => {
  test('finds its server, and its calls are judged', async () => {
    const client = node(`
      const { PET_MOCK_URL: url, PET_MOCK_KEY: key, PET_MOCK_ADMIN: admin, PET_MOCK_SITUATION: name, MINE: mine } = process.env
      const headers = { Authorization: 'Bearer ' + key }
      for (let call = 0; call < 5; call += 1) console.log(call, (await fetch(url + '/pets', { headers })).status)
      console.log((await (await fetch(admin + '/scenario')).json()).name, name, mine === url, key)
      process.exit(7)
    `)
    const { outcome, output, conduct, facts, durationMs } = await ran(
      client,
      { env: [{ name: 'MINE', value: 'url' }] },
      'rate-limit-exhaustion',
    )
    expect(outcome).toEqual({ kind: 'exited', exitCode: 7 })
    expect(output).toBe(
      '0 200\n1 200\n2 200\n3 429\n4 429\nrate-limit-exhaustion rate-limit-exhaustion true demo-f…\n',
    )
    expect(conduct.calls).toBe(5)
    expect(conduct.usage).toMatchObject([{ calls: 5, refused: 2 }])
    expect(facts).toMatchObject({ calls: 5, refused: 2, recovery: { kind: 'ended-early' } })
    expect(conduct.flights).toHaveLength(1)
    expect(durationMs).toBeGreaterThan(0)
  })

  test('its world starts at its first call', async () => {
    const client = node(`
      await new Promise(resolve => setTimeout(resolve, 300))
      const headers = { Authorization: 'Bearer ' + process.env.PET_MOCK_KEY }
      console.log((await fetch(process.env.PET_MOCK_URL + '/pets', { headers })).status)
    `)
    const { output } = await ran(client, { clock: { scale: 1_000 } }, 'outage')
    expect(output).toBe('503\n')
  })

  test('runs on the clock and the seed of the options', async () => {
    const client = node(`console.log(await (await fetch(process.env.PET_MOCK_ADMIN + '/clock')).text())`)
    expect((await ran(client, { clock: { scale: 30 } })).output).toContain('"scale":30')
    expect((await ran(client, { clock: { frozen: true } })).output).toContain('"frozen":true')
  })
})

describe('the end of a command', () => {
  test('a signal counts as a shell counts it', async ({ skip }) => {
    skip(process.platform === 'win32', 'Windows has no signals')
    expect(
      (await ran(node('process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)'))).outcome,
    ).toEqual({ kind: 'exited', exitCode: 143 })
  })

  test('a command that does not end is ended, with what it started', async () => {
    const stubborn = 'process.on("SIGTERM", () => {}); console.log(process.pid); setInterval(() => {}, 1000)'
    const client = node(`
      import { spawn } from 'node:child_process'
      spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { stdio: 'inherit' })
      setInterval(() => {}, 1000)
    `)
    const { outcome, output } = await ran(client, { timeoutMs: 2_000 })
    expect(outcome).toEqual({ kind: 'hung', afterMs: 2_000 })
    await expectGone(Number(output))
  })

  test('what it leaves in its group ends with it', async () => {
    const { outcome, output } = await ran(['sh', '-c', 'sleep 60 & echo $!'])
    expect(outcome).toEqual({ kind: 'exited', exitCode: 0 })
    await expectGone(Number(output))
  })

  test('a process that left the group does not delay the end', async () => {
    const client = node(`
      import { spawn } from 'node:child_process'
      const { pid } = spawn('sleep', ['300'], { stdio: 'inherit', detached: true })
      console.log(pid)
      process.exit(0)
    `)
    const { outcome, output } = await ran(client)
    expect(outcome).toEqual({ kind: 'exited', exitCode: 0 })
    process.kill(Number(output), 'SIGKILL')
  })

  test('a stop ends it', async () => {
    const stop = new AbortController()
    const running = run(['sh', '-c', 'sleep 60'], { stop: stop.signal })
    setTimeout(() => stop.abort(), 100)
    expect(await running).toMatchObject({ ok: false, text: '' })
    expect(await run(['sh', '-c', 'sleep 60'], { stop: stop.signal })).toMatchObject({ ok: false })
  })

  test.each([
    [['no-such-command'], 127, 'no-such-command: command not found'],
    [['/tmp'], 126, '/tmp cannot be run: it is a directory'],
  ])('%s does not run', async (command, exitCode, text) => {
    expect(await run(command)).toMatchObject({ ok: false, exitCode, text: expect.stringContaining(text) })
  })
})

describe('output', () => {
  test('only its end is kept', async () => {
    const { output } = await ran(['sh', '-c', 'head -c 100000000 /dev/zero; echo; echo the end >&2'])
    expect(output).toMatch(/^\[100,000,001 earlier bytes are left out\]\nthe end\n$/)
  })

  test('bytes that are no text do no harm', async () => {
    expect((await ran(['printf', '\\377\\000ok'])).output).toBe('\uFFFD\0ok')
  })
})
