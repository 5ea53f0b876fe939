import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { untilStopped } from '../../../src/cli/start/stop.ts'
import { needPosix } from '../../support/requirements.ts'
import { runCommand, serveJson, spawnCommand } from '../../support/run-command.ts'

needPosix('signals')

const body = '{"name":"Rex","categoryId":1}'

/** A POST with half of its body sent. */
async function beginPost(url: string) {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  socket.on('error', () => {})
  let reply = ''
  socket.on('data', chunk => {
    reply += chunk
  })
  const closed = new Promise<string>(resolve => socket.once('close', () => resolve(reply)))
  const head = [
    'POST /v1/pets HTTP/1.1',
    `Host: ${host}`,
    'Authorization: Bearer demo-free',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  // "100 Continue" shows that the server has the call.
  await new Promise(resolve => socket.once('data', resolve))
  reply = ''
  socket.write(body.slice(0, 10))
  return { finish: () => socket.write(body.slice(10)), closed }
}

/** Until the server takes no new connection: it has seen the signal. */
async function untilClosing(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const isOpen = () =>
    new Promise<boolean>(resolve => {
      const socket = connect(Number(port), hostname, () => {
        socket.destroy()
        resolve(true)
      }).on('error', () => resolve(false))
    })
  while (await isOpen()) await pause(10)
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP'])(
  '%s: the running call is answered, exit code 0',
  async signal => {
    const { ready, child, ended } = await serveJson()
    const { finish, closed } = await beginPost(ready.url)
    child.kill(signal)
    await untilClosing(ready.url)
    finish()
    const { code, stdout, stderr } = await ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(await closed).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
    expect(stdout.trimEnd().split('\n')).toHaveLength(2)
  },
)

// Two servers, so that a slow machine slows both. The one that must end later gets the signal first.
it('waits for a call that does not end, but not for idle connections', async () => {
  const idle = await serveJson()
  const waiting = await serveJson()
  const response = await fetch(`${idle.ready.url}/pets`, { headers: { Connection: 'keep-alive' } })
  await response.text()
  const { closed } = await beginPost(waiting.ready.url)
  const order: string[] = []
  const ends = Object.entries({ waiting, idle }).map(async ([name, { child, ended }]) => {
    child.kill('SIGTERM')
    const { code } = await ended
    order.push(name)
    return code
  })
  expect(await Promise.all(ends)).toEqual([0, 0])
  expect(order).toEqual(['idle', 'waiting'])
  expect(await closed).toBe('')
})

it('gives running calls less than 2 s', async () => {
  const graces: number[] = []
  const close = async (graceMs: number) => void graces.push(graceMs)
  const { stopped, stop } = untilStopped({ onSignal: () => {}, exit: () => {} }, close)
  stop()
  await stopped
  expect(graces).toEqual([1_500])
})

it.each<[NodeJS.Signals, number]>([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])('a second %s ends it at once, with exit code %d', async (signal, expected) => {
  const { ready, child, ended } = await serveJson()
  await beginPost(ready.url)
  child.kill('SIGTERM')
  await untilClosing(ready.url)
  await pause(100)
  child.kill(signal)
  // Without the second signal, it would answer what it can, and end with 0.
  expect((await ended).code).toBe(expected)
})

it.each([
  ['started by a shell', { env: { _: '/usr/bin/nohup' } }],
  ['with a terminal as its input', { shell: 'exec 0>/dev/null' }],
])('under nohup, %s: ignores SIGHUP', async (_, options) => {
  const { ready, child, ended } = await serveJson([], options)
  child.kill('SIGHUP')
  expect(await statusesOf(ready.url, 20)).toEqual(new Set([200]))
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
})

it('counts a Ctrl+C that arrives twice, as under npm start, as one', async () => {
  const { ready, child, ended } = await serveJson()
  const { finish, closed } = await beginPost(ready.url)
  child.kill('SIGINT')
  child.kill('SIGINT')
  finish()
  expect((await ended).code).toBe(0)
  expect(await closed).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
})

async function statusesOf(url: string, count: number): Promise<ReadonlySet<number>> {
  const statuses = new Set<number>()
  for (let call = 0; call < count; call += 1) {
    const response = await fetch(`${url}/pets?limit=1`, {
      headers: { Authorization: 'Bearer demo-enterprise' },
    })
    await response.text()
    statuses.add(response.status)
  }
  return statuses
}

it('keeps serving when the reader of its log is gone', async () => {
  const { ready, child, ended } = await serveJson()
  child.stdout?.destroy()
  expect(await statusesOf(ready.url, 20)).toEqual(new Set([200]))
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
})

it.each([
  ['scenarios', 'show', 'ban'],
  ['scenarios', 'list'],
  ['--help'],
  ['--version'],
  ['completion', 'bash'],
  ['ps'],
])('says that the disk behind stdout is full, and ends with 1: %s %s', async (...args) => {
  const { code, stderr } = await runCommand(args, { shell: 'exec 1>/dev/full' })
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'pet-mock cannot write its output (the disk is full): it is not complete.\n',
  })
})

it.each([
  ['scenarios', 'list'],
  ['scenarios', 'show', 'ban'],
  ['serve', '--help'],
])('says nothing when the reader of its output goes away: %s %s', async (...args) => {
  const running = spawnCommand(args)
  running.child.stdout?.destroy()
  expect(await running.ended).toMatchObject({ code: 0, stderr: '' })
})

it('keeps serving, and stops, while nobody reads its log', async () => {
  const { ready, child, ended } = await serveJson()
  child.stdout?.pause()
  // Lines of 200 bytes: more than the 64 KiB that a pipe holds.
  expect(await statusesOf(ready.url, 600)).toEqual(new Set([200]))
  child.kill('SIGTERM')
  // It ends while the pipe is full.
  expect(await new Promise(resolve => child.once('exit', resolve))).toBe(0)
  child.stdout?.resume()
  await ended
})
