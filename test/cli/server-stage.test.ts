import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openServerStage, type ServerStageOptions } from '../../src/cli/server-stage.ts'
import type { StoryCall } from '../../src/walkthrough/stage.ts'
import { advanceClock } from '../support/clock.ts'
import { serverTest } from '../support/raw-http.ts'
import { noon } from '../support/scenarios.ts'

const list: StoryCall = {
  method: 'GET',
  target: '/v1/pets',
  headers: ['Authorization', 'Bearer demo-free'],
  body: undefined,
}

async function openStage(url: string, options: Partial<ServerStageOptions> = {}) {
  const stage = await openServerStage({
    url: new URL(url),
    storyKey: 'demo-free',
    key: 'demo-free',
    maxWaitMs: 120_000,
    wait: async () => {},
    ...options,
  })
  onTestFinished(() => stage.close())
  return stage
}

serverTest('the base address may bear /v1, a slash, or nothing', async ({ open }) => {
  const { host } = await open()
  for (const path of ['', '/', '/v1', '/v1/'])
    expect(await (await openStage(`http://${host}${path}`)).call(list)).toMatchObject({ status: 200 })
})

serverTest(
  'another key takes the place of the story’s, and its sandbox is for all of them',
  async ({ open }) => {
    const { host, emulator } = await open()
    const stage = await openStage(`http://${host}/v1`, { key: 'demo-pro+x' })
    const limitOf = async (key: string) => {
      const answer = await stage.call({ ...list, headers: ['Authorization', `Bearer ${key}`] })
      return 'status' in answer ? answer.headers['x-ratelimit-limit'] : undefined
    }
    expect([await limitOf('demo-free'), await limitOf('demo-business')]).toEqual(['300', '1000'])
    expect([...(emulator.sandboxes.get('x')?.journal ?? [])]).toHaveLength(2)
  },
)

serverTest('the clock of a pet-mock is moved, in the sandbox of the key', async ({ open }) => {
  const { host, emulator } = await open()
  const stage = await openStage(`http://${host}/v1`, { key: 'demo-free+w1' })
  expect(stage.movesClock).toBe(true)
  await stage.call(list)
  expect(await stage.advance(60_000)).toEqual({ ok: true })
  const { sandboxes } = emulator
  expect([sandboxes.default.clock.at, sandboxes.get('w1')?.clock.at]).toEqual([noon, noon + 60_000])
})

serverTest('time is waited for where the plane is closed, as long as it is allowed', async ({ open }) => {
  const { host, emulator } = await open({ token: 'secret' })
  const waits: number[] = []
  const wait = async (ms: number) => {
    waits.push(ms)
    advanceClock(emulator.sandboxes.default, ms)
  }
  const stage = await openStage(`http://${host}`, { wait, maxWaitMs: 90_000 })
  expect(stage.movesClock).toBe(false)
  expect(await stage.advance(60_000)).toEqual({ ok: true })
  expect(await stage.advance(31_000)).toEqual({
    ok: false,
    impossible: 'its clock cannot be moved, and waiting for 91s is longer than --max-wait 90s',
  })
  expect(await stage.advance(30_000)).toEqual({ ok: true })
  expect(waits).toEqual([60_000, 30_000])
})

test('a clock that can be moved is moved, in the sandbox of the key', async () => {
  const asked: string[] = []
  const server = createHttpServer((request, response) => {
    let body = ''
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`.trim())
      response.end('{"name":"pet-mock"}')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const stage = await openStage(url, { key: 'demo-free+w 1' })
  expect(await stage.advance(60_000)).toEqual({ ok: true })
  expect(asked).toEqual([
    'GET /__admin/health application/json',
    'POST /__admin/clock/advance?sandbox=w%201 application/json {"by":"60000ms"}',
  ])
})

test('a change from outside is not possible, and instants are not compared', async () => {
  const stage = await openStage(
    `http://127.0.0.1:${await listen(socket => void socket.end('HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n'))}`,
  )
  expect(await stage.change({ do: 'reset' })).toEqual({
    ok: false,
    impossible: 'a story cannot change a server from outside (reset)',
  })
  expect(
    ['date', 'retry-after', 'x-ratelimit-reset', 'link'].map(name => stage.cannotJudge(name) === undefined),
  ).toEqual([false, false, false, true])
})

type Socket = import('node:net').Socket

async function listen(answer: (socket: Socket, call: number) => void): Promise<number> {
  let calls = 0
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => {
      calls += 1
      answer(socket, calls)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

test.each<[string, (socket: Socket) => void]>([
  ['reset', socket => void socket.resetAndDestroy()],
  ['empty', socket => void socket.end()],
  ['truncate', socket => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[1,2')],
  ['hang', () => {}],
])('a call that fails: %s', async (fails, answer) => {
  const noAdmin = 'HTTP/1.1 404 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
  const port = await listen((socket, call) => (call === 1 ? void socket.end(noAdmin) : answer(socket)))
  const stage = await openStage(`http://127.0.0.1:${port}`, { answerWithinMs: 300 })
  expect(await stage.call(list)).toEqual({ fails })
})

serverTest('a server that goes away in the middle of a story', async ({ open }) => {
  const { host, door } = await open()
  const stage = await openStage(`http://${host}`)
  expect(await stage.call(list)).toMatchObject({ status: 200 })
  await door.close(0)
  expect(await stage.call(list)).toEqual({ fails: 'reset' })
})
