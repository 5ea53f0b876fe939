import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { ownCertificate } from '../../../src/cli/start/state/load-tls.ts'
import type { ThenFields } from '../../../src/control/scenario/file.ts'
import type { KeyPair } from '../../../src/doors/server/node-server.ts'
import { type TestServer, serverTest as test } from '../../support/raw-http.ts'
import { findProgram, requireOrSkip } from '../../support/requirements.ts'
import { scenarioOf } from '../../support/scenarios.ts'

let tls: KeyPair
let folder: string

afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pet-mock-tls-'))
  tls = await ownCertificate(folder, Date.now())
})

const onOrders = (then: ThenFields) => scenarioOf({ rules: [{ match: { operation: 'listOrders' }, then }] })

interface Seen {
  readonly status: number | undefined
  /** The error of the client, if the reply failed. */
  readonly error: string | undefined
  readonly text: string
  readonly announced: number
  readonly link: string | undefined
}

/** One call of a client that trusts the certificate, until it ends in any way or for `ms` milliseconds. */
function call({ port }: TestServer, path = '/v1/store/orders', ms = 5_000): Promise<Seen> {
  return new Promise(resolve => {
    let seen: Seen = { status: undefined, error: undefined, text: '', announced: 0, link: undefined }
    const end = (more: Partial<Seen> = {}) => resolve({ ...seen, ...more })
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      ca: tls.cert,
      agent: false,
      headers: { Authorization: 'Bearer demo-free' },
      signal: AbortSignal.timeout(ms),
    })
    const fail = (error: NodeJS.ErrnoException) => {
      const isTimeout = error.name === 'AbortError'
      end({ error: isTimeout ? 'no end' : error.message })
    }
    sent.on('error', fail)
    sent.on('response', response => {
      const { statusCode: status, headers } = response
      seen = { ...seen, status, announced: Number(headers['content-length']), link: `${headers.link}` }
      response.on('data', chunk => {
        seen = { ...seen, text: seen.text + chunk }
      })
      response.on('error', fail).on('end', () => end())
    })
    sent.end()
  })
}

test('answers as over HTTP, with links to https', async ({ open }) => {
  const server = await open({ tls })
  const { status, text, link } = await call(server, '/v1/pets?limit=1')
  expect([status, JSON.parse(text)]).toMatchObject([200, [{ id: 1 }]])
  expect(link).toMatch(/^<https:\/\/127\.0\.0\.1:\d+\/v1\/pets\?/)
})

describe('faults over TLS are what they are over HTTP', () => {
  const whole = '[]'
  test.for<[what: string, then: ThenFields, seen: Partial<Seen>]>([
    ['reset', { fault: 'reset' }, { status: undefined, error: 'read ECONNRESET' }],
    ['empty', { fault: 'empty' }, { status: undefined, error: 'socket hang up' }],
    ['truncate', { fault: 'truncate' }, { status: 200, error: 'aborted' }],
    ['malformed', { fault: 'malformed' }, { status: 200, error: undefined }],
    ['hang', { fault: 'hang' }, { status: undefined, error: 'no end' }],
    ['hang for', { fault: { hang: { for: '50ms' } } }, { status: undefined, error: 'socket hang up' }],
    ['slow', { fault: { slow: { chunk: 400, every: '20ms' } } }, { status: 200, error: undefined }],
    ['slow-close', { fault: { 'slow-close': '50ms' } }, { status: 200, error: undefined }],
    ['delay', { delay: '50ms' }, { status: 200, error: undefined }],
  ])('%s', async ([what, then, expected], { open }) => {
    const server = await open({ tls, scenario: onOrders(then) })
    const plain = await open({ tls })
    const usual = await call(plain)
    expect(usual.text.length).toBeGreaterThan(whole.length)
    const seen = await call(server, undefined, what === 'hang' ? 300 : undefined)
    expect(seen).toMatchObject(expected)
    if (what === 'truncate') expect(seen.text).toBe(usual.text.slice(0, Math.floor(usual.announced / 2)))
    else if (what === 'malformed') expect(() => JSON.parse(seen.text)).toThrow()
    else if (expected.error === undefined) expect(seen.text).toBe(usual.text)
  })
})

function secure({ port }: TestServer): TLSSocket {
  const socket = connect({ port, host: '127.0.0.1', ca: tls.cert })
  socket.on('error', () => {})
  return socket
}

const until = async (isTrue: () => boolean) => {
  await expect.poll(isTrue, { interval: 10 }).toBe(true)
}

test('says in the log what a client did wrong before TLS', async ({ open, skip }) => {
  const curl = requireOrSkip({ skip }, 'curl', findProgram('curl'))
  const messages: string[] = []
  const server = await open({ tls, onRefusal: ({ message }) => messages.push(message) })
  const { stdout } = await promisify(execFile)(curl, ['-s', `http://127.0.0.1:${server.port}/v1/pets`])
  expect(JSON.parse(stdout)).toMatchObject({ code: 'bad_request', message: messages[0] })
  execFile(curl, ['-s', `https://127.0.0.1:${server.port}/`], () => {})
  await until(() => messages.length === 2)
  const left = connectTcp({ port: server.port, host: '127.0.0.1' }, () => left.destroy())
  connectTcp({ port: server.port, host: '127.0.0.1' }, function (this: { write: (text: string) => void }) {
    this.write('\u0016\u0003\u0001nonsense')
  }).on('error', () => {})
  await until(() => messages.length === 3)
  expect(messages).toEqual([
    'The request is plain HTTP, but pet-mock speaks TLS: use https:// instead of http:// in the URL.',
    'The client does not trust the certificate of pet-mock. docs/browser.md says how it can.',
    expect.stringMatching(/^The TLS handshake failed \(ERR_SSL_.*\)\.$/),
  ])
  expect((await call(server, '/v1/pets')).status).toBe(200)
})

test('stops at once, whatever handshakes and connections are open', async ({ open }) => {
  const server = await open({ tls })
  const idle = secure(server)
  await new Promise(resolve => idle.once('secureConnect', resolve))
  const silent = connectTcp({ port: server.port, host: '127.0.0.1' })
  await new Promise(resolve => silent.once('connect', resolve))
  await until(() => silent.readyState === 'open')
  // The time limit of the test is shorter than this grace.
  await server.door.close(600_000)
})
