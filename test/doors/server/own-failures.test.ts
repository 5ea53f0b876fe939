import { expect, onTestFinished, test } from 'vitest'
import { openHttpDoor } from '../../../src/doors/server/http-door.ts'
import type { Handle } from '../../../src/service/call/call.ts'

const fine: ReturnType<Handle> = { status: 200, headers: { 'Content-Length': '2' }, body: '[]' }

test.for<readonly [string, Handle]>([
  [
    'a handler that throws',
    () => {
      throw new Error('on fire')
    },
  ],
  ['a header that cannot be written', () => ({ ...fine, headers: { Location: '/v1/pets/\r\n' } })],
  ['a header beyond latin1', () => ({ ...fine, headers: { Location: '/v1/pets/🐈' } })],
  ['a status that is none', () => ({ ...fine, status: 0 })],
])('%s: 500 in the Error shape, and a log entry; other calls are served', async ([, handle]) => {
  const errors: unknown[] = []
  const door = await openHttpDoor({
    handle: call => (call.target === '/fine' ? fine : handle(call)),
    host: '127.0.0.1',
    port: 0,
    onError: (_error, call) => errors.push(call && `${call.method} ${call.target}`),
  })
  onTestFinished(() => door.close(0))
  const base = `http://127.0.0.1:${door.port}`
  for (const init of [{}, { method: 'POST', body: 'x' }, { method: 'HEAD' }]) {
    const reply = await fetch(base, init)
    expect(reply.status).toBe(500)
    expect(reply.headers.get('content-type')).toBe('application/json')
    const text = await reply.text()
    if (init.method === 'HEAD') expect(text).toBe('')
    else expect(JSON.parse(text)).toMatchObject({ code: 'internal_error', status: 500 })
    expect(text).not.toMatch(/fire|\.ts|ERR_/)
  }
  expect(errors).toEqual(['GET /', 'POST /', 'HEAD /'])
  expect((await fetch(`${base}/fine`)).status).toBe(200)
})

test.for([
  ['a port that is taken', 'EADDRINUSE'],
  ['a host that is not this machine', 'EADDRNOTAVAIL'],
] as const)('%s: opening rejects with %s', async ([, code]) => {
  const options = { handle: () => fine, host: '127.0.0.1', port: 0, onError: () => {} }
  const door = await openHttpDoor(options)
  onTestFinished(() => door.close(0))
  const other = code === 'EADDRINUSE' ? { port: door.port } : { host: '192.0.2.1' }
  await expect(openHttpDoor({ ...options, ...other })).rejects.toMatchObject({ code })
})

test('a closed door frees its port', async () => {
  const options = { handle: () => fine, host: '127.0.0.1', port: 0, onError: () => {} }
  const first = await openHttpDoor(options)
  await first.close(0)
  const second = await openHttpDoor({ ...options, port: first.port })
  onTestFinished(() => second.close(0))
  expect((await fetch(`http://127.0.0.1:${second.port}`)).status).toBe(200)
})
