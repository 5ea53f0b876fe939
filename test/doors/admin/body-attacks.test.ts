import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type RunOptions, serveJson, spawnCommand } from '../../support/run-command.ts'

const mebibyte = 2 ** 20
const smallHeap: RunOptions = { env: { NODE_OPTIONS: '--max-old-space-size=256' } }
const json = 'Content-Type: application/json'
const token = 'Authorization: Bearer sesame'

/** The most memory that a process has used, in bytes. Undefined where the system does not say. */
function peakOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024
  } catch {
    return undefined
  }
}

interface Attack {
  readonly line: string
  readonly lines: readonly string[]
  /** Sent once, before the pieces. */
  readonly start?: string
  readonly piece: Buffer
  /** Bytes to send, at most. The attacker stops when the server closes the connection. */
  readonly bytes: number
  /** Sent once, after the pieces. */
  readonly end?: string
}

/** Sends a head and as much of a body as the server takes. Resolves with the status of the answer. */
async function attack(
  port: number,
  { line, lines, start = '', piece, bytes, end = '' }: Attack,
): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => {
    socket.destroy()
  })
  let text = ''
  socket.setEncoding('latin1').on('data', more => {
    text += more
  })
  socket.on('error', () => {})
  socket.write([`${line} HTTP/1.1`, 'Host: localhost', ...lines, '', start].join('\r\n'))
  for (let sent = 0; sent < bytes && socket.writable; sent += piece.length) {
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), closed(socket)])
  }
  socket.write(end)
  while (!/^HTTP\/1\.1 (?!1)\d/m.test(text) && !socket.closed)
    await Promise.race([once(socket, 'data'), closed(socket)])
  return Number(/^HTTP\/1\.1 ((?!1)\d+)/m.exec(text)?.[1])
}

function closed(socket: Socket): Promise<unknown> {
  return new Promise(resolve => socket.once('close', resolve))
}

async function expectAlive(port: number): Promise<void> {
  const headers = { Authorization: 'Bearer sesame' }
  const response = await fetch(`http://127.0.0.1:${port}/__admin/health`, { headers })
  expect(response.status).toBe(200)
}

const zeros = Buffer.alloc(mebibyte, '0')
const objects = Buffer.from('{"a":0},'.repeat(mebibyte / 8))

async function serveSmall(...flags: readonly string[]) {
  const { ready } = await serveJson(flags, smallHeap)
  return { port: Number(new URL(ready.url).port), pid: ready.pid }
}

// How much of dropped bodies waits for a garbage collection differs between versions of Node: 60 MiB to 210 MiB of 768.
const sentEach = 64 * mebibyte
const mostOfSent = 12 * sentEach * 0.4

test.for<[what: string, lines: readonly string[], status: number]>([
  ['without the token', [json, 'Content-Length: 268435456'], 401],
  ['without the token, in chunks', [json, 'Transfer-Encoding: chunked'], 401],
  [
    'from a page of another origin',
    [json, token, 'Content-Length: 268435456', 'Origin: https://evil.example'],
    403,
  ],
])('12 bodies of 256 MiB %s are not kept', async ([, lines, status]) => {
  const { port, pid } = await serveSmall('--admin-token', 'sesame')
  await expectAlive(port)
  const before = peakOf(pid)
  const isChunked = lines.some(line => line.includes('chunked'))
  const piece = isChunked ? Buffer.concat([Buffer.from('100000\r\n'), zeros, Buffer.from('\r\n')]) : zeros
  const attacks = Array.from({ length: 12 }, () =>
    attack(port, { line: 'POST /__admin/reset', lines, piece, bytes: sentEach }),
  )
  expect(await Promise.all(attacks)).toEqual(Array(12).fill(status))
  await expectAlive(port)
  if (before !== undefined) expect((peakOf(pid) ?? 0) - before).toBeLessThan(mostOfSent)
})

test.for<[what: string, line: string, start: string, length: string]>([
  ['to reset', 'POST /__admin/reset', '[', 'Content-Length: 262144001'],
  ['to snapshot', 'PUT /__admin/snapshot', '[', 'Content-Length: 262144001'],
  ['to snapshot, in a field', 'PUT /__admin/snapshot', '{"version":[', 'Content-Length: 262144012'],
])('250 MiB of {"a":0}, %s: 413, and the server lives', async ([, line, start, length]) => {
  const { port, pid } = await serveSmall('--admin-token', 'sesame')
  const lines = [json, token, length]
  expect(await attack(port, { line, lines, start, piece: objects, bytes: 250 * mebibyte })).toBe(413)
  await expectAlive(port)
  const peak = peakOf(pid)
  if (peak !== undefined) expect(peak).toBeLessThan(500 * mebibyte)
})

test.for<[what: string, start: string, piece: string, end: string]>([
  ['with many mistakes', '{"pets":{"list":[', '{"x":0},', '0]}}'],
  ['with many names', '{', '"~":0,', '"":0}'],
  ['with objects in a text', '{"pets":"', '\\u007b\\u007d\\u002c', '"}'],
])('a snapshot of 8 MiB %s does not exhaust the memory', async ([, start, text, end]) => {
  const { port } = await serveSmall()
  const piece = Buffer.from(text.repeat(Math.floor(mebibyte / text.length)))
  const bytes = 8 * piece.length
  const lines = [json, `Content-Length: ${start.length + bytes + end.length}`]
  const status = await attack(port, { line: 'PUT /__admin/snapshot', lines, start, piece, bytes, end })
  expect([400, 413]).toContain(status)
  await expectAlive(port)
})

test.for(['PUT /__admin/snapshot', 'POST /v1/pets'])('chunks of a byte, to %s', async line => {
  const { port, pid } = await serveSmall()
  const lines = [json, 'Transfer-Encoding: chunked', 'Authorization: Bearer demo-free']
  const piece = Buffer.from('1\r\n \r\n'.repeat(2 ** 16))
  await expectAlive(port)
  const before = peakOf(pid)
  expect(await attack(port, { line, lines, piece, bytes: 6 * piece.length, end: '0\r\n\r\n' })).toBe(400)
  if (before !== undefined) expect((peakOf(pid) ?? 0) - before).toBeLessThan(40 * mebibyte)
})

test('the plane of a proxy keeps no body', async () => {
  const flags = ['--port', '0', '--log-format', 'json', '--admin-token', 'sesame']
  const proxy = spawnCommand(['proxy', 'http://127.0.0.1:1/v1', ...flags], smallHeap)
  const [line] = await proxy.until(/^.+(?=\n)/)
  const { url, pid } = JSON.parse(line)
  const port = Number(new URL(url).port)
  await expectAlive(port)
  const before = peakOf(pid)
  const lines = [json, 'Content-Length: 268435456']
  const send = (given: readonly string[]) =>
    attack(port, { line: 'POST /__admin/health', lines: given, piece: zeros, bytes: sentEach })
  const statuses = await Promise.all([
    ...Array.from({ length: 12 }, () => send(lines)),
    send([...lines, token]),
    send([...lines, token, 'Origin: https://evil.example']),
  ])
  expect(statuses).toEqual([...Array(12).fill(401), 405, 403])
  await expectAlive(port)
  if (before !== undefined) expect((peakOf(pid) ?? 0) - before).toBeLessThan(mostOfSent)
})
