import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { spawnCommand } from '../../support/run-command.ts'

const sandboxes = 24
const callsOfEach = 1_000
/** Fits into the 16 KiB that a server reads, and into nothing else that a cache could share. */
const longHeader = 12_000

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => {
    socket.destroy()
  })
  await once(socket, 'connect')
  return socket
}

function request(sandbox: number, number: number): string {
  const value = `${number}`.padEnd(longHeader, `abcdefghij${sandbox}`)
  return `GET /v1/pets?limit=1 HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer demo-enterprise+w${sandbox}\r\nX-Long: ${value}\r\n\r\n`
}

/** Makes all calls of a sandbox on one connection, 50 at once. */
async function fill(port: number, sandbox: number): Promise<void> {
  const socket = await open(port)
  let answered = 0
  let rest = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    const parts = (rest + text).split('HTTP/1.1 200')
    answered += parts.length - 1
    rest = parts.at(-1)?.slice(-11) ?? ''
  })
  for (let made = 0; made < callsOfEach; made += 50) {
    socket.write(Array.from({ length: 50 }, (_, index) => request(sandbox, made + index)).join(''))
    while (answered < made + 50) await once(socket, 'data')
  }
  socket.destroy()
}

test('a small heap survives long headers in many sandboxes, and clients that read no answer', async () => {
  const running = spawnCommand(['--port', '0', '--log-format', 'silent', '-s', 'enterprise-plan'], {
    env: { NODE_OPTIONS: '--max-old-space-size=256' },
  })
  const [url] = await running.until(/http:\S+/)
  const { port } = new URL(url)
  const admin = `http://127.0.0.1:${port}/__admin`
  const ask = async (path: string, init?: RequestInit): Promise<ReturnType<typeof JSON.parse>> =>
    (await fetch(admin + path, init)).json()
  for (let first = 0; first < sandboxes; first += 4)
    await Promise.all([0, 1, 2, 3].map(next => fill(Number(port), first + next)))

  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
  const { count, evicted } = await ask('/requests/count?sandbox=*', init)
  expect(count + evicted).toBe(sandboxes * callsOfEach)
  expect(evicted).toBeGreaterThan(0)

  // Each answer is tens of megabytes. Who does not read must not make the server hold it.
  for (let reader = 0; reader < 10; reader += 1) {
    const path = reader % 2 === 0 ? 'requests' : 'requests.har'
    const socket = await open(Number(port))
    socket.pause().write(`GET /__admin/${path}?sandbox=* HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
  }
  const { requests, meta } = await ask('/requests?sandbox=*&limit=500')
  expect(requests).toHaveLength(500)
  expect(meta).toMatchObject({ total: count, kept: count, evicted })
  expect(requests[0].request.headers['x-long']).toMatch(/ \[cut, 12000 characters\]$/)
  const { log } = await ask('/requests.har?sandbox=*&limit=100')
  expect(log.entries).toHaveLength(100)
  expect(log.comment).toBe(`${evicted} earlier requests are no longer kept.`)
  expect(await ask('/conduct?sandbox=*')).toMatchObject({ calls: count, evicted })
  running.child.kill('SIGTERM')
  expect((await running.ended).code).toBe(0)
})
