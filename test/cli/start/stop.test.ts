import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { needPosix } from '../../support/requirements.ts'
import { type Ended, serveJson } from '../../support/run-command.ts'

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

async function timed(ended: Promise<Ended>): Promise<Ended & { readonly ms: number }> {
  const before = performance.now()
  return { ...(await ended), ms: performance.now() - before }
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])(
  '%s: the running call is answered, exit code 0',
  async signal => {
    const { ready, child, ended } = await serveJson()
    const { finish, closed } = await beginPost(ready.url)
    child.kill(signal)
    await pause(300)
    finish()
    const { code, ms, stdout, stderr } = await timed(ended)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(ms).toBeLessThan(1_000)
    expect(await closed).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
    expect(stdout.trimEnd().split('\n')).toHaveLength(2)
  },
)

it('does not wait for idle connections', async () => {
  const { ready, child, ended } = await serveJson()
  const response = await fetch(`${ready.url}/pets`, { headers: { Connection: 'keep-alive' } })
  await response.text()
  child.kill('SIGTERM')
  const { code, ms } = await timed(ended)
  expect(code).toBe(0)
  expect(ms).toBeLessThan(1_000)
})

it('waits no longer than 2 s for a call that does not end', async () => {
  const { ready, child, ended } = await serveJson()
  await beginPost(ready.url)
  child.kill('SIGTERM')
  const { code, ms } = await timed(ended)
  expect(code).toBe(0)
  expect(ms).toBeGreaterThan(1_000)
  expect(ms).toBeLessThan(2_000)
})

it.each<[NodeJS.Signals, number]>([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('a second %s ends it at once, with exit code %d', async (signal, expected) => {
  const { ready, child, ended } = await serveJson()
  await beginPost(ready.url)
  child.kill('SIGTERM')
  await pause(200)
  child.kill(signal)
  const { code, ms } = await timed(ended)
  expect(code).toBe(expected)
  expect(ms).toBeLessThan(500)
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
  expect(await timed(ended)).toMatchObject({ code: 0, stderr: '' })
})

it('keeps serving, and stops, while nobody reads its log', async () => {
  const { ready, child, ended } = await serveJson()
  child.stdout?.pause()
  // Lines of 200 bytes: far more than a pipe holds.
  expect(await statusesOf(ready.url, 2_000)).toEqual(new Set([200]))
  child.kill('SIGTERM')
  const exited = new Promise(resolve => child.once('exit', resolve))
  const before = performance.now()
  expect(await exited).toBe(0)
  expect(performance.now() - before).toBeLessThan(1_500)
  child.stdout?.resume()
  await ended
})
