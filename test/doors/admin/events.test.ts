import { once } from 'node:events'
import { connect } from 'node:net'
import { createParser } from 'eventsource-parser'
import { expect, onTestFinished, test } from 'vitest'
import { openEventStream } from '../../../src/doors/admin/routing/event-stream.ts'
import { startPetMock } from '../../../src/library/testing/start-pet-mock.ts'
import { type AdminServer, openAdminServer, times } from '../../support/admin-server.ts'
import { changing } from '../../support/changes.ts'

interface Told {
  readonly start: string
  readonly revision: number
  readonly changes: number
  readonly newest: Readonly<Record<string, number>>
}

/** Reads the stream with a parser that real clients use; `next` resolves with one event after the other. */
async function openEvents({ origin }: AdminServer): Promise<{ next: () => Promise<Told | 'ended'> }> {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const response = await fetch(`${origin}/__admin/events`, { signal: stop.signal })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const events: Told[] = []
  const parser = createParser({
    onEvent: ({ id, data }) => {
      const told = JSON.parse(data)
      expect(id).toBe(`${told.start}-${told.revision}`)
      events.push(told)
    },
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  return {
    next: async () => {
      for (;;) {
        const event = events.shift()
        if (event !== undefined) return event
        const chunk = await reader?.read()
        if (chunk?.value === undefined) return 'ended'
        parser.feed(chunk.value)
      }
    },
  }
}

test('the first event comes at once; the next ones have everything new', async () => {
  const server = await openAdminServer()
  await server.call('/v1/pets', 'demo-free+w1')
  const { next } = await openEvents(server)
  const first = (await next()) as Told
  expect(first.newest).toEqual({ default: 0, w1: 1 })
  await times(30, () => server.call('/v1/pets'))
  let last = first
  while (last.newest.default !== 30) {
    const told = (await next()) as Told
    expect(told.revision).toBeGreaterThan(last.revision)
    expect(told.changes).toBe(first.changes)
    expect(Object.keys(told.newest)).toEqual(['default'])
    last = told
  }
})

test('a change of the world is an event; a reset has no newer request', async () => {
  const server = await openAdminServer()
  await times(3, () => server.call('/v1/pets'))
  const { next } = await openEvents(server)
  const first = (await next()) as Told
  const change = changing(server.emulator)
  change({ do: 'advanceClock', by: '60s' })
  const moved = (await next()) as Told
  expect(moved).toEqual({
    start: first.start,
    revision: expect.any(Number),
    changes: first.changes + 1,
    newest: {},
  })
  expect(moved.revision).toBeGreaterThan(first.revision)
  change({ do: 'reset' })
  const anew = (await next()) as Told
  expect(anew.newest).toEqual({})
  expect(anew.revision).toBeGreaterThan(moved.revision)
  await server.call('/v1/pets')
  expect(((await next()) as Told).newest).toEqual({ default: 4 })
})

test('each run of a server has a name of its own, which health has, too', async () => {
  const starts: string[] = []
  for (let run = 0; run < 2; run += 1) {
    const mock = await startPetMock()
    const admin = new URL('/__admin', mock.url).href
    const { start } = (await (await fetch(`${admin}/health`)).json()) as Told
    const stop = new AbortController()
    const { body } = await fetch(`${admin}/events`, { signal: stop.signal })
    const first = await body?.pipeThrough(new TextDecoderStream()).getReader().read()
    stop.abort()
    await mock.close()
    expect(first?.value).toContain(`"start":"${start}"`)
    starts.push(start)
  }
  expect(new Set(starts).size).toBe(2)
})

test('a server that stops ends the stream', async () => {
  const server = await openAdminServer()
  const { next } = await openEvents(server)
  await next()
  const closing = server.door.close(20_000)
  expect(await next()).toBe('ended')
  await closing
})

/** A stream on timers of the test's own, whose reader takes nothing unless it is told to. */
async function openByHand() {
  const server = await openAdminServer()
  const timers = new Set<() => void>()
  const gone = new AbortController()
  const stream = openEventStream(
    { emulator: server.emulator, start: 'a' },
    {
      signal: gone.signal,
      after: (_ms, act) => {
        timers.add(act)
        return () => timers.delete(act)
      },
    },
  )
  const tick = () => {
    for (const act of [...timers]) {
      timers.delete(act)
      act()
    }
  }
  return { server, stream, timers, gone, tick }
}

test('a reader for whom 16 events wait is dropped: the stream breaks, and polling stops', async () => {
  const { server, stream, timers, tick } = await openByHand()
  const change = changing(server.emulator)
  let looked = 0
  while (timers.size > 0 && looked < 100) {
    change({ do: 'advanceClock', by: '1s' })
    tick()
    looked += 1
  }
  // The first event came before these looks. The last look finds 16 waiting.
  expect(looked).toBe(16)
  const reader = stream.getReader()
  await expect(reader.read()).rejects.toThrow('too slow')
})

test('a full socket: nothing is kept for a reader that does not read, and the connection breaks', async () => {
  const server = await openAdminServer()
  const { port, hostname } = new URL(server.origin)
  const change = changing(server.emulator)
  // So long names and so many of them that a few events fill what the system holds for a socket.
  const names = Array.from({ length: 990 }, (_, index) => `${index}`.padStart(64, '-'))
  for (const name of names) change({ do: 'reset' }, name)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => {
    socket.destroy()
  })
  let isBroken = false
  // Who does not read learns only by writing that nobody is there any more.
  socket.on('error', () => {
    isBroken = true
  })
  socket.write(`GET /__admin/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`)
  await once(socket, 'readable')
  while (!isBroken) {
    for (const name of names) callIn(server, name)
    socket.write('\r\n')
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  // The others are served as before.
  const { next } = await openEvents(server)
  expect(Object.keys(((await next()) as Told).newest)).toHaveLength(991)
}, 120_000)

function callIn({ emulator }: AdminServer, sandbox: string): void {
  emulator.handle({
    method: 'GET',
    target: '/v1/pets/1',
    headers: ['Host', 'localhost', 'Authorization', `Bearer demo-enterprise+${sandbox}`],
    body: undefined,
    scheme: 'http',
    client: 'a',
    receivedAt: Date.now(),
  })
}

test('a comment keeps a quiet connection open', async () => {
  const { stream, tick } = await openByHand()
  const reader = stream.getReader()
  const read = async () => new TextDecoder().decode((await reader.read()).value)
  expect(await read()).toMatch(/^id: a-\d+\ndata: /)
  for (let looks = 0; looks < 151; looks += 1) tick()
  expect(await read()).toBe(': nothing new\n\n')
})

test('polling stops when the reader leaves', async () => {
  const { stream, timers, gone } = await openByHand()
  expect(timers.size).toBe(1)
  await stream.cancel()
  expect(timers.size).toBe(0)
  // The door says so as well.
  gone.abort()
  const other = await openByHand()
  other.gone.abort()
  expect(other.timers.size).toBe(0)
})
