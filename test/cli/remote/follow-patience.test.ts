import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { follow, type Patience } from '../../../src/cli/remote/follow-requests.ts'
import type { Session } from '../../../src/cli/remote/server-command.ts'

const newest = JSON.stringify({ start: 'one', newest: { default: 0 } })
const health = '{"status":"ok","name":"pet-mock","start":"one"}'
const petMock: RequestListener = ({ url = '' }, response) => {
  if (url.endsWith('/events'))
    response.setHeader('Content-Type', 'text/event-stream').write(`data: ${newest}\n\n`)
  else response.end(health)
}

async function listen(answer: RequestListener, port = 0): Promise<Server> {
  const server = createServer(answer).listen(port, '127.0.0.1')
  onTestFinished(() => void stop(server))
  await once(server, 'listening')
  return server
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return
  server.close().closeAllConnections()
  await once(server, 'close')
}

/** Follows the requests of a server until it gives up. */
function followAt(port: number, patience: Patience) {
  let told = ''
  const write = (text: string) => {
    told += text
    return true
  }
  const stream = { writableLength: 0, write, on: () => undefined }
  let isRead = () => {}
  const read = new Promise<void>(resolve => {
    isRead = resolve
  })
  const ask = async () => {
    isRead()
    return { requests: [], meta: { total: 0, kept: 0, evicted: 0 } }
  }
  const session = {
    admin: `http://127.0.0.1:${port}/__admin`,
    io: { stdout: stream, stderr: stream },
    values: {},
    ask,
  }
  // Only these parts of a session are read.
  const ended = follow(session as unknown as Session, {}, 20, () => [], patience).then(
    () => 'followed',
    error => `${error.code}: ${error.message}`,
  )
  return { read, ended, told: () => told }
}

test.each<[then: string, next: RequestListener | undefined]>([
  ['nothing listens', undefined],
  ['another server answers', (_request, response) => response.end('Hello')],
  ['a server accepts connections and says nothing', () => {}],
])('gives up when its time is over: %s', async (_then, next) => {
  const first = await listen(petMock)
  const { port } = first.address() as AddressInfo
  const { read, ended, told } = followAt(port, { pauseMs: 10, totalMs: 200 })
  await read
  await stop(first)
  if (next !== undefined) await listen(next, port)
  const start = performance.now()
  expect(await ended).toBe(`unreachable: The server at http://127.0.0.1:${port}/__admin has stopped.`)
  // One request without an answer takes 2 s.
  expect(performance.now() - start).toBeLessThan(10_000)
  expect(told()).toBe(
    `The server at http://127.0.0.1:${port}/__admin has stopped. Waiting 0.2 s for it to come back.\n`,
  )
})
