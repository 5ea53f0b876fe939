import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { openServerTarget, type ServerTargetOptions } from '../../../src/cli/walkthroughs/server-target.ts'
import type { Command, Step } from '../../../src/control/scenario/file.ts'
import { command } from '../../../src/control/scenario/settings/scenario-file.ts'
import { planeRoutes } from '../../../src/generated/plane-operations.ts'
import { hasPassed, type PlayedStep, play } from '../../../src/judges/walkthrough/play.ts'
import type { WalkthroughCall } from '../../../src/judges/walkthrough/target.ts'
import { advanceClock } from '../../support/clock.ts'
import { listenHttp, listenRaw } from '../../support/listen.ts'
import { serverTest } from '../../support/raw-http.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'

const list: WalkthroughCall = {
  method: 'GET',
  target: '/v1/pets',
  headers: ['Authorization', 'Bearer demo-free'],
  body: undefined,
}

async function openTarget(url: string, options: Partial<ServerTargetOptions> = {}) {
  const target = await openServerTarget({
    url: new URL(url),
    scenarioKey: 'demo-free',
    key: 'demo-free',
    maxTimeMs: 120_000,
    wait: async () => {},
    ...options,
  })
  onTestFinished(async () => void (await target.close()))
  return target
}

serverTest('the base URL may end in /v1, a slash, or nothing', async ({ open }) => {
  const { host } = await open()
  for (const path of ['', '/', '/v1', '/v1/'])
    expect(await (await openTarget(`http://${host}${path}`)).call(list)).toMatchObject({ status: 200 })
})

serverTest('--key replaces the scenario’s key, and its sandbox applies to all keys', async ({ open }) => {
  const { host, emulator } = await open()
  const target = await openTarget(`http://${host}/v1`, { key: 'demo-pro+x' })
  const limitOf = async (key: string) => {
    const answer = await target.call({ ...list, headers: ['Authorization', `Bearer ${key}`] })
    return 'status' in answer ? answer.headers['x-ratelimit-limit'] : undefined
  }
  expect([await limitOf('demo-free'), await limitOf('demo-business')]).toEqual(['300', '1000'])
  expect([...(emulator.sandboxes.get('x')?.journal ?? [])]).toHaveLength(2)
})

serverTest('the clock moves in the sandbox of the key', async ({ open }) => {
  const { host, emulator } = await open()
  const target = await openTarget(`http://${host}/v1`, { key: 'demo-free+w1' })
  expect(target.closed).toBeUndefined()
  await target.call(list)
  expect(await target.advance(60_000)).toEqual({ ok: true })
  const { sandboxes } = emulator
  expect([sandboxes.default.clock.at, sandboxes.get('w1')?.clock.at]).toEqual([noon, noon + 60_000])
})

serverTest('if the plane is closed, it waits in real time up to maxTimeMs', async ({ open }) => {
  const { host, emulator } = await open({ token: 'secret' })
  const waits: number[] = []
  const wait = async (ms: number) => {
    waits.push(ms)
    advanceClock(emulator.sandboxes.default, ms)
  }
  const target = await openTarget(`http://${host}`, { wait, maxTimeMs: 90_000 })
  expect(target.closed).toMatch(/^The admin plane requires a token/)
  expect(await target.advance(60_000)).toEqual({ ok: true })
  expect(await target.advance(91_000)).toEqual({
    ok: false,
    impossible: 'its clock cannot be moved, and a wait of 91s would exceed --max-time 90s: raise --max-time',
  })
  expect(await target.advance(30_000)).toEqual({ ok: true })
  expect(waits).toEqual([60_000, 30_000])
})

serverTest('it sends the token to the plane', async ({ open }) => {
  const { host, emulator } = await open({ token: 'secret' })
  const target = await openTarget(`http://${host}`, { token: 'secret' })
  expect(await target.advance(60_000)).toEqual({ ok: true })
  expect(emulator.sandboxes.default.clock.at).toBe(noon + 60_000)
  const other = await openTarget(`http://${host}`, { token: 'sesame' })
  expect(other.closed).toBe('The token is not the value of --admin-token.')
})

serverTest('if the clock does not move, it waits in real time', async ({ open }) => {
  const { host } = await open({ scenario: scenarioOf({ clock: { at: '9899-12-31T23:59:00Z' } }) })
  const waits: number[] = []
  const target = await openTarget(`http://${host}`, { wait: async ms => void waits.push(ms) })
  expect(await target.advance(90_000)).toEqual({ ok: true })
  expect(waits).toEqual([90_000])
  expect(await target.advance(121_000)).toEqual({
    ok: false,
    impossible:
      'its clock did not move (by: the clock cannot move beyond the year 9899.), and a wait of 121s would exceed --max-time 2m: raise --max-time',
  })
})

serverTest(
  'the admin plane makes changes with the replaced key, in the sandbox of the walkthrough',
  async ({ open }) => {
    const { host, emulator } = await open()
    const target = await openTarget(`http://${host}`, { key: 'demo-pro+w' })
    const changes: Command[] = [
      { do: 'banKey', key: 'demo-free', for: '2m' },
      { do: 'addKey', key: 'ours', plan: 'pro' },
      { do: 'addPet', name: 'Rex', categoryId: 2n ** 60n },
      { do: 'changePet', id: 101, status: 'sold' },
      { do: 'addRule', rule: { name: 'a/b', then: { status: 503 } } },
    ]
    for (const change of changes) expect(await target.change(change)).toEqual({ ok: true })
    const world = emulator.sandboxes.get('w')
    expect(world?.keys.get('demo-pro')?.strikes.bannedUntil).toBeGreaterThan(noon + 119_000)
    expect(world?.keys.get('ours')?.plan).toBe('pro')
    expect(world?.pets.get(101)).toMatchObject({ name: 'Rex', categoryId: 2n ** 60n, status: 'sold' })
    expect(await target.call(list)).toMatchObject({ status: 429 })
    expect(await target.change({ do: 'deleteRule', name: 'a/b' })).toEqual({ ok: true })
    expect(world?.rules.list()).toEqual([])
    expect(await target.change({ do: 'useScenario', scenario: 'empty-store' })).toEqual({ ok: true })
    expect(emulator.sandboxes.get('w')?.pets.size).toBe(0)
    expect(await target.change({ do: 'deletePet', id: 7 })).toEqual({
      ok: false,
      impossible: 'There is no pet with the id 7.',
    })
    expect(emulator.sandboxes.default.pets.size).toBe(100)
  },
)

serverTest('without a sandbox in the key, deleteSandbox drops the default sandbox only', async ({ open }) => {
  const { host, emulator } = await open()
  await (await openTarget(`http://${host}`, { key: 'demo-free+w' })).call(list)
  expect(await (await openTarget(`http://${host}`)).change({ do: 'deleteSandbox' })).toEqual({ ok: true })
  expect(emulator.sandboxes.names()).toContain('w')
})

test('each command is an operation of the admin plane, by its name', () => {
  expect(Object.keys(planeRoutes)).toEqual(expect.arrayContaining(Object.keys(command.options)))
})

test('it asks health first, and sends the token to a pet-mock only', async () => {
  const asked: string[] = []
  const { origin } = await listenHttp(async (request, response) => {
    const { method, url, headers } = request
    asked.push(`${method} ${url} ${headers.authorization ?? ''} ${await text(request)}`.trim())
    response.end('{"status":"ok","name":"pet-mock","scenario":"x"}')
  })
  const target = await openTarget(`${origin}/v1`, { key: 'demo-free+w 1', token: 'secret' })
  expect(await target.advance(60_000)).toEqual({ ok: true })
  expect(asked).toEqual([
    'GET /__admin/health',
    'GET /__admin/clock?sandbox=w%201 Bearer secret',
    'POST /__admin/clock/advance?sandbox=w%201 Bearer secret {"by":"60000ms"}',
  ])
})

test('without a plane no change is possible, and instants are not compared', async () => {
  const { origin } = await listenRaw(
    socket => void socket.end('HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n'),
  )
  const target = await openTarget(origin)
  expect(await target.change({ do: 'reset' })).toEqual({
    ok: false,
    impossible: 'pet-mock cannot make this change: it has no admin plane',
  })
  expect(
    ['date', 'retry-after', 'x-ratelimit-reset', 'link'].map(name => target.cannotJudge(name) === undefined),
  ).toEqual([false, false, false, true])
})

type Socket = import('node:net').Socket

const noAdmin = 'HTTP/1.1 404 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

test.each<[string, (socket: Socket) => void]>([
  ['reset', socket => void socket.resetAndDestroy()],
  ['empty', socket => void socket.end()],
  ['truncate', socket => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[1,2')],
  ['hang', () => {}],
])('a failing call: %s', async (fails, answer) => {
  const { port } = await listenRaw((socket, call) => (call === 1 ? void socket.end(noAdmin) : answer(socket)))
  const target = await openTarget(`http://127.0.0.1:${port}`, { answerWithinMs: 300 })
  expect(await target.call(list)).toEqual({ fails })
})

serverTest('a server that stops during a walkthrough', async ({ open }) => {
  const { host, door } = await open()
  const target = await openTarget(`http://${host}`)
  expect(await target.call(list)).toMatchObject({ status: 200 })
  await door.close(0)
  const gone = { ok: false, impossible: expect.stringMatching(/^the server is gone \(connect ECONNREFUSED /) }
  expect(await target.call(list)).toEqual(gone)
  expect(await target.advance(60_000)).toEqual(gone)
})

test.each<[string, (socket: Socket) => void]>([
  ['resets its connections', socket => void socket.resetAndDestroy()],
  ['closes its connections', socket => void socket.end()],
  [
    'sends half of a response',
    socket => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[1,2'),
  ],
])('a server that stops and %s ends the walkthrough, and meets no expected failure', async (_, die) => {
  const { port, close } = await listenRaw((socket, call) => {
    if (call === 1) return void socket.end(noAdmin)
    close()
    die(socket)
  })
  const target = await openTarget(`http://127.0.0.1:${port}`)
  const steps: Step[] = [
    { call: 'GET /v1/pets', repeat: 3, expect: { fails: 'reset' } },
    { call: 'GET /v1/pets', expect: { fails: 'reset' } },
  ]
  const played: PlayedStep[] = []
  for await (const step of play(steps, 'demo-free', target)) played.push(step)
  expect(played).toMatchObject([
    { calls: 0, differences: [], impossible: expect.stringMatching(/^the server is gone/) },
  ])
  expect(hasPassed(steps, played)).toBe(false)
})

test('a response that is not HTTP ends the walkthrough', async () => {
  const { port } = await listenRaw((socket, call) => void socket.end(call === 1 ? noAdmin : 'hello\r\n\r\n'))
  const target = await openTarget(`http://127.0.0.1:${port}`)
  expect(await target.call(list)).toEqual({
    ok: false,
    impossible: expect.stringMatching(/^the response cannot be read \(Parse Error/),
  })
})

serverTest('at the end, a clock that was moved is back at its start', async ({ open }) => {
  const { host, emulator } = await open()
  advanceClock(emulator.sandboxes.default, 5_000)
  const untouched = await openTarget(`http://${host}`)
  await untouched.call(list)
  expect(await untouched.close()).toBeUndefined()
  expect(emulator.sandboxes.default.clock.at).toBe(noon + 5_000)
  const target = await openTarget(`http://${host}`)
  await target.advance(60_000)
  expect(await target.close()).toBeUndefined()
  expect(emulator.sandboxes.default.clock.at).toBe(noon)
})
