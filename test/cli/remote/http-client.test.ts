import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { sendRequest } from '../../../src/cli/commands/mcp/tools.ts'
import { createHttpClient } from '../../../src/cli/remote/find-server.ts'
import { sendOverHttp } from '../../../src/library/client/send-over-http.ts'
import { listenRaw } from '../../support/listen.ts'

/** A server that answers each request with the same bytes, and then ends the connection, or not. */
async function answering(bytes: string, then: (socket: Socket) => void): Promise<URL> {
  const { origin } = await listenRaw(socket => {
    socket.write(bytes)
    then(socket)
  })
  return new URL(origin)
}

const end = (socket: Socket) => void socket.end()
const stay = () => {}
const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'

test.each<[what: string, method: string, bytes: string, then: (socket: Socket) => void, answer: object]>([
  ['101 to GET', 'GET', switching, stay, { status: 101, text: '' }],
  ['101 to POST', 'POST', switching, stay, { status: 101, text: '' }],
  ['200 to CONNECT: a tunnel', 'CONNECT', 'HTTP/1.1 200 OK\r\n\r\n', stay, { status: 200, text: '' }],
  [
    '405 to CONNECT, with a body',
    'CONNECT',
    'HTTP/1.1 405 No\r\nConnection: close\r\n\r\nno',
    end,
    { status: 405, text: 'no' },
  ],
  [
    'two lines of one header',
    'GET',
    'HTTP/1.1 429 No\r\nRetry-After: 5\r\nRetry-After: 60\r\nContent-Length: 0\r\n\r\n',
    stay,
    { status: 429, headers: { 'retry-after': '5, 60' } },
  ],
  [
    '100 and 103 before the answer',
    'GET',
    'HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 204 No\r\n\r\n',
    stay,
    { status: 204 },
  ],
  ['a body of no length', 'GET', 'HTTP/1.1 200 OK\r\n\r\nab', end, { status: 200, text: 'ab' }],
  ['no byte', 'GET', '', end, { fails: 'empty' }],
  ['half a head', 'GET', 'HTTP/1.1 200 OK\r\nDate: ', end, { fails: 'empty' }],
  ['half a body', 'GET', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab', end, { fails: 'truncate' }],
  ['a reset', 'GET', '', socket => void socket.resetAndDestroy(), { fails: 'reset' }],
  ['nothing at all', 'GET', '', stay, { fails: 'hang' }],
  [
    'half a body, and silence',
    'GET',
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab',
    stay,
    { fails: 'hang' },
  ],
  ['half an answer to CONNECT, and silence', 'CONNECT', 'HTTP/1.1 405 No\r\n\r\nno', stay, { fails: 'hang' }],
])('a call always settles: %s', async (_, method, bytes, then, answer) => {
  const { send, close } = createHttpClient(await answering(bytes, then))
  onTestFinished(close)
  const call = { method, target: '/v1/pets', headers: [], body: method === 'POST' ? '{}' : undefined }
  expect(await send(call, 400)).toMatchObject(answer)
})

test('bytes that are no HTTP reject', async () => {
  const { send, close } = createHttpClient(await answering('no HTTP\r\n\r\n', end))
  onTestFinished(close)
  const call = { method: 'GET', target: '/', headers: [], body: undefined }
  await expect(send(call, 400)).rejects.toMatchObject({ code: expect.stringMatching(/^HPE_/) })
})

test('a client of the admin plane gets an answer of 101, too', async () => {
  const { href } = await answering(switching, stay)
  expect(await sendOverHttp(href, undefined)('POST', '/reset', undefined)).toMatchObject({ status: 101 })
})

test('send_request of mcp gets an answer of 101, too', async () => {
  const { origin } = await answering(switching, stay)
  const call = { admin: `${origin}/__admin`, sandbox: undefined } as Parameters<typeof sendRequest.act>[1]
  expect(await sendRequest.act({ call: 'GET /v1/pets', key: 'demo-free' }, call)).toMatchObject({
    status: 101,
  })
})
