import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { follow, type Patience } from '../../../src/cli/remote/follow-requests.ts'
import type { Session } from '../../../src/cli/remote/server-command.ts'
import { listenHttp } from '../../support/listen.ts'

const newest = JSON.stringify({ start: 'one', newest: { default: 0 } })
const health = '{"status":"ok","name":"pet-mock","start":"one"}'
const petMock: RequestListener = ({ url = '' }, response) => {
  if (url.endsWith('/events'))
    response.setHeader('Content-Type', 'text/event-stream').write(`data: ${newest}\n\n`)
  else response.end(health)
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
  const { port, close } = await listenHttp(petMock)
  const { read, ended, told } = followAt(port, { pauseMs: 10, totalMs: 200 })
  await read
  await close()
  if (next !== undefined) await listenHttp(next, port)
  const start = performance.now()
  expect(await ended).toBe(`unreachable: The server at http://127.0.0.1:${port}/__admin has stopped.`)
  // One request without an answer takes 2 s.
  expect(performance.now() - start).toBeLessThan(10_000)
  expect(told()).toBe(
    `The server at http://127.0.0.1:${port}/__admin has stopped. Waiting 0.2 s for it to come back.\n`,
  )
})
