import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { directoryWith } from '../support/directory.ts'
import { freePort } from '../support/free-port.ts'
import { findProgram, requireOrSkip } from '../support/requirements.ts'
import { commandWords } from '../support/run-command.ts'

const example = fileURLToPath(new URL('../../examples/scale-out/', import.meta.url))

/** The example without npm: its pet-mock is the one of this clone. */
function start(context: TestContext, replicas: readonly number[], env: Readonly<Record<string, string>>) {
  requireOrSkip(context, 'nginx', findProgram('/usr/sbin/nginx', 'nginx'))
  const directory = directoryWith({})
  for (const name of ['start.sh', 'nginx.conf']) copyFileSync(example + name, join(directory, name))
  mkdirSync(join(directory, 'node_modules/.bin'), { recursive: true })
  const command = join(directory, 'node_modules/.bin/pet-mock')
  const words = commandWords.map(word => `'${word}'`).join(' ')
  writeFileSync(command, `#!/bin/sh\nexec ${words} "$@"\n`)
  chmodSync(command, 0o755)
  const child = spawn('bash', [join(directory, 'start.sh'), ...replicas.map(String)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', text => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text
  })
  const ended = once(child, 'close').then(([code]) => ({ code, stdout, stderr }))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  return { directory, child, ended }
}

test('ends if a port is in use', async context => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const replicas = [await freePort(), port]
  const { ended } = start(context, replicas, { PORT: `${await freePort()}` })
  expect(await ended).toEqual({ code: 1, stdout: '', stderr: `Port ${port} is in use.\n` })
})

test('ends if a replica does not start, which says why', async context => {
  const env = { PORT: `${await freePort()}`, FLAGS: '--scenario nothing' }
  const { ended } = start(context, [await freePort()], env)
  expect(await ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('"nothing"') })
})

/** As docs/ci.md lists them. */
const ofAllSandboxes = [
  'POST reset?sandbox=*',
  'POST reset?sandbox=%2A',
  'POST reset?sandbox=%2a',
  'PUT scenario',
  'GET sandboxes',
  'DELETE sandboxes',
  'GET metrics',
  'POST state/save',
]
const ofOneSandbox = [
  'POST reset',
  'GET scenario',
  'PUT sandboxes/worker-3',
  'GET scenarios',
  'DELETE sandboxes?sandbox=worker-3',
]

test('makes the folder of the states, and refuses to ask one replica about all sandboxes', async context => {
  const port = await freePort()
  const replica = await freePort()
  const { directory, child } = start(context, [replica], { PORT: `${port}`, STATE: 'a/b' })
  await once(child.stdout, 'data')
  expect(existsSync(join(directory, 'a/b'))).toBe(true)
  const isRefused = async (call: string) => {
    const [method = '', path] = call.split(' ')
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(`http://127.0.0.1:${port}/__admin/${path}`, { method, headers })
    return (await answer.text()).includes('ask_each_replica') && answer.status === 400
  }
  for (const call of ofAllSandboxes) expect([call, await isRefused(call)]).toEqual([call, true])
  for (const call of ofOneSandbox) expect([call, await isRefused(call)]).toEqual([call, false])
})
