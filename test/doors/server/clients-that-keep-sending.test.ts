import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import type { TestReply } from '../../support/doors.ts'
import { expectProblem } from '../../support/expectations.ts'
import {
  petCount,
  remainingOf,
  requestText,
  type TestServer,
  serverTest as test,
} from '../../support/raw-http.ts'
import { findProgram, requireOrSkip } from '../../support/requirements.ts'

const eightMebibytes = 8 * 1_048_576
const headers = { Authorization: 'Bearer demo-free', 'Content-Type': 'application/json' }

/** After a body that was too large: one answer, one count, nothing stored, and the server serves others. */
async function expectUnharmed(server: TestServer): Promise<void> {
  expect([petCount(server), remainingOf(server)]).toEqual([100, 59])
  expect((await server.ask(requestText('GET /v1/pets'))).status).toBe(200)
}

describe('a client that sends 8 MiB before it reads gets its answer', () => {
  test.concurrent.for([
    ['by Content-Length', `Content-Length: ${eightMebibytes}`, 'x'.repeat(65_536)],
    ['in chunks', 'Transfer-Encoding: chunked', `ff00\r\n${'x'.repeat(0xff00)}\r\n`],
  ] as const)('%s', async ([, length, packet], { open }) => {
    const server = await open()
    const client = await server.connect()
    client.socket.pause()
    client.send(requestText('POST /v1/pets', { lines: ['Content-Type: application/json', length] }))
    for (let sent = 0; sent < eightMebibytes; sent += 65_536) {
      if (!client.socket.write(packet)) await once(client.socket, 'drain')
    }
    client.socket.resume()
    const reply = await client.reply()
    expectProblem(reply, 413, 'body_too_large')
    expect(reply.headers.connection).toBe('close')
    expect(await client.end()).toBe('')
    await expectUnharmed(server)
  })

  test.concurrent('slowly, for longer than the server waits for one that is silent', async ({ open }) => {
    const server = await open()
    const client = await server.connect()
    client.send(
      requestText('POST /v1/pets', {
        lines: ['Content-Type: application/json', `Content-Length: ${eightMebibytes}`],
      }),
    )
    const failures: unknown[] = []
    client.socket.on('error', error => failures.push(error))
    for (let packet = 0; packet < 25; packet += 1) {
      client.send('x')
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    expect(failures).toEqual([])
    expectProblem(await client.reply(), 413, 'body_too_large')
    expect(await client.end()).toBe('')
    await expectUnharmed(server)
  })

  test.concurrent('but not for ever: one that never stops is cut off when a request must be there', async ({
    open,
  }) => {
    const server = await open({ timeouts: { headersMs: 500, requestMs: 1_500 } })
    const client = await server.connect()
    const gone = new Promise(resolve => client.socket.once('error', resolve).once('close', resolve))
    client.send(
      requestText('POST /v1/pets', {
        lines: ['Content-Type: application/json', `Content-Length: ${eightMebibytes}`],
      }),
    )
    expectProblem(await client.reply(), 413, 'body_too_large')
    const timer = setInterval(() => client.send('x'), 50)
    await gone
    clearInterval(timer)
    expect(await client.end()).toBe('')
    await expectUnharmed(server)
  })

  test.concurrent('and nothing else, if what it goes on sending is broken', async ({ open }) => {
    const server = await open()
    const client = await server.connect()
    const lines = ['Content-Type: application/json', 'Transfer-Encoding: chunked']
    client.send(`${requestText('POST /v1/pets', { lines })}200000\r\n${'x'.repeat(0x200000)}\r\n`)
    expectProblem(await client.reply(), 413, 'body_too_large')
    client.send('two\r\n')
    expect(await client.end()).toBe('')
    await expectUnharmed(server)
  })
})

describe('8 MiB from a real client', () => {
  test.concurrent('node:http, by Content-Length', async ({ open }) => {
    const server = await open()
    const reply = await sendByNode(server, { 'Content-Length': `${eightMebibytes}` })
    expectProblem(reply, 413, 'body_too_large')
    await expectUnharmed(server)
  })

  test.concurrent('node:http, in chunks', async ({ open }) => {
    const server = await open()
    const reply = await sendByNode(server, {})
    expectProblem(reply, 413, 'body_too_large')
    await expectUnharmed(server)
  })

  test.concurrent('fetch', async ({ open }) => {
    const server = await open()
    const body = Buffer.alloc(eightMebibytes, 'x')
    const response = await fetch(`http://${server.host}/v1/pets`, { method: 'POST', headers, body })
    expect([response.status, JSON.parse(await response.text()).code]).toEqual([413, 'body_too_large'])
    await expectUnharmed(server)
  })

  test.concurrent('fetch, from a stream', async ({ open }) => {
    const server = await open()
    const packets = Array.from({ length: 128 }, () => Buffer.alloc(65_536, 'x'))
    const body = ReadableStream.from(packets)
    const response = await fetch(`http://${server.host}/v1/pets`, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    })
    expect([response.status, JSON.parse(await response.text()).code]).toEqual([413, 'body_too_large'])
    await expectUnharmed(server)
  })

  test.concurrent.for([
    ['waiting for 100 Continue', []],
    ['not waiting', ['-H', 'Expect:']],
    ['in chunks', ['-H', 'Expect:', '-H', 'Transfer-Encoding: chunked']],
  ] as const)('curl, %s', async ([, options], { open, skip, onTestFinished }) => {
    const curl = requireOrSkip({ skip }, 'curl', findProgram('curl'))
    const folder = mkdtempSync(join(tmpdir(), 'pet-mock-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'body.json')
    writeFileSync(file, 'x'.repeat(eightMebibytes))
    const server = await open()
    const sent = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
    const { stdout } = await promisify(execFile)(curl, [
      '--silent',
      '--show-error',
      '--noproxy',
      '*',
      ...sent,
      ...options,
      '--data-binary',
      `@${file}`,
      '--write-out',
      '\n%{http_code}',
      `http://${server.host}/v1/pets`,
    ])
    const [body = '', status] = stdout.split('\n')
    expect([status, JSON.parse(body).code]).toEqual(['413', 'body_too_large'])
    await expectUnharmed(server)
  })
})

function sendByNode(server: TestServer, length: Record<string, string>): Promise<TestReply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      port: server.port,
      method: 'POST',
      path: '/v1/pets',
      headers: { ...headers, ...length },
    })
    request.on('error', reject).on('response', async response => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      const received = Object.entries(response.headers).map(([name, value]) => [name, `${value}`])
      const text = Buffer.concat(chunks).toString()
      resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(received), text })
    })
    request.end(Buffer.alloc(eightMebibytes, 'x'))
  })
}
