import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { Call } from '../../../src/service/call/call.ts'
import {
  anyBody,
  anyHeaders,
  anyMethod,
  anyTarget,
  oneOf,
  textOf,
} from '../../../tools/fuzz/grammar/any-request.ts'
import { petCount, requestText, rex, serverTest, type TestServer } from '../../support/raw-http.ts'
import { scenarioOf } from '../../support/scenarios.ts'

const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** An answer that a client can do something with: no 5xx that it did not ask for; JSON that is an Error, or, below 400, anything. */
function expectAnswer(status: number, headers: Readonly<Record<string, string>>, body: string): void {
  if (!headers['preference-applied']?.startsWith(`code=${status}`)) expect(status).toBeLessThan(500)
  for (const value of Object.values(headers)) expect(value).toMatch(headerValue)
  if (status === 204) expect([body, headers['content-length']]).toEqual(['', undefined])
  if (body === '') return
  expect(headers['content-type']).toBe('application/json')
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body))
  const value = JSON.parse(body)
  if (status < 400) return
  expect(Object.keys(value)).toEqual(['code', 'message', 'status'])
  expect(value).toMatchObject({ code: expect.any(String), message: expect.any(String), status })
}

/** Almost without limits, so that calls come through to what is behind them; `demo-free` has its 60, and its ban. */
const scenario = () => scenarioOf({ plans: { pro: { minute: 1e9, day: 1e9 } } })

test('in process: every call gets an answer', () => {
  const errors: unknown[] = []
  const emulator = createEmulator({
    scenario: scenario(),
    startedAt: 0,
    onError: error => errors.push(error),
  })
  const call: fc.Arbitrary<Call> = fc.record({
    method: anyMethod,
    target: anyTarget,
    headers: anyHeaders.map(pairs => pairs.flat()),
    body: fc.oneof({ weight: 6, arbitrary: anyBody }, oneOf('too-large' as const, undefined)),
    scheme: oneOf('http', 'https'),
    client: oneOf('127.0.0.1', '::1', 'unknown'),
    receivedAt: fc.integer({ min: 0, max: 2 ** 42 }),
  })
  fc.assert(
    fc.property(call, given => {
      const reply = emulator.handle(given)
      const lowered = Object.entries(reply.headers).map(([name, value]) => [name.toLowerCase(), value])
      expectAnswer(reply.status, Object.fromEntries(lowered), reply.body ?? '')
      expect(errors).toEqual([])
    }),
    { numRuns: 3_000 },
  )
})

/** Sends bytes, closes, and gives back all that came until the server closed too. */
async function exchange(server: TestServer, sent: Uint8Array): Promise<string> {
  const client = await server.connect()
  client.socket.end(sent)
  const received = await client.end()
  client.socket.destroy()
  return received
}

/** Replies to HEAD have a Content-Length and no body, so a body is what stands before the next status line. */
function expectAnswers(received: string): number {
  const replies = received.split(/(?=HTTP\/1\.1 \d{3} [A-Z])/).filter(reply => reply !== '')
  for (const reply of replies) {
    const headEnd = reply.indexOf('\r\n\r\n')
    const [statusLine = '', ...lines] = reply.slice(0, headEnd).split('\r\n')
    const pairs = lines.map(line => [
      line.split(': ', 1)[0]?.toLowerCase(),
      line.slice(line.indexOf(': ') + 2),
    ])
    const status = Number(/^HTTP\/1\.1 (\d{3}) [\w ]+$/.exec(statusLine)?.[1])
    expectAnswer(
      status,
      Object.fromEntries(pairs),
      Buffer.from(reply.slice(headEnd + 4), 'latin1').toString(),
    )
  }
  return replies.length
}

async function expectServing(server: TestServer): Promise<void> {
  const { status } = await server.ask(requestText('GET /v1/pets', { key: 'demo-business' }))
  expect([status, petCount(server) >= 100]).toEqual([200, true])
}

serverTest('over the wire: every request has an answer', async ({ open }) => {
  const server = await open({ scenario: scenario() })
  await fc.assert(
    fc.asyncProperty(
      anyMethod,
      anyTarget,
      anyHeaders,
      fc.option(anyBody),
      async (method, target, headers, body) => {
        const lines = headers.map(([name, value]) => `${name}: ${value}`)
        const length = body === null ? [] : [`Content-Length: ${body.length}`]
        const given = [`${method} ${target} HTTP/1.1`, ...lines, ...length, '', ''].join('\r\n')
        const sent = Buffer.concat([Buffer.from(given, 'latin1'), body ?? Buffer.alloc(0)])
        expect(expectAnswers(await exchange(server, sent))).toBe(1)
      },
    ),
    { numRuns: 600 },
  )
  await expectServing(server)
})

serverTest('over the wire: bytes of any kind do no harm', async ({ open }) => {
  const server = await open({ scenario: scenario() })
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async sent => {
      expectAnswers(await exchange(server, sent))
    }),
    { numRuns: 200 },
  )
  await expectServing(server)
})

serverTest(
  'over the wire: good requests with something cut out, put in or repeated do no harm',
  async ({ open }) => {
    const server = await open({ scenario: scenario() })
    const key = 'demo-pro'
    const chunked = { key, lines: ['Transfer-Encoding: chunked', 'Content-Type: application/json'] }
    const good = [
      requestText('GET /v1/pets?limit=3', { key }),
      requestText('HEAD /v1/pets/1', { key }),
      requestText('POST /v1/pets', { key, body: rex }),
      `${requestText('POST /v1/pets', chunked)}${rex.length.toString(16)}\r\n${rex}\r\n0\r\n\r\n`,
      requestText('POST /v1/pets', { key, body: rex, lines: ['Expect: 100-continue'] }),
      requestText('OPTIONS /v1/pets', { key, lines: ['Upgrade: websocket', 'Connection: Upgrade'] }),
    ]
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.nat(6),
      put: fc.oneof(textOf(0, 0xff), oneOf('\r\n', '\r\n\r\n', ':', ' ', '0', '\0', 'Content-Length: 3\r\n')),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(oneOf(...good), { minLength: 1, maxLength: 3 }),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        async (requests, changes) => {
          const sent = changes.reduce((whole, { at, cut, put }) => {
            const place = Math.floor(at * whole.length)
            return whole.slice(0, place) + put + whole.slice(place + cut)
          }, requests.join(''))
          expectAnswers(
            (await exchange(server, Buffer.from(sent, 'latin1'))).replaceAll(
              'HTTP/1.1 100 Continue\r\n\r\n',
              '',
            ),
          )
        },
      ),
      { numRuns: 800 },
    )
    await expectServing(server)
  },
)
