import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { Connection } from '../../tools/soak/connection.ts'
import { readEvents } from '../../tools/soak/server-counts.ts'
import { adminOf } from '../support/admin.ts'
import { directoryWith } from '../support/directory.ts'
import { findProgram, requireOrSkip } from '../support/requirements.ts'
import { serveJson } from '../support/run-command.ts'
import type { Failure } from './failures.ts'
import { serve } from './served.ts'

const scenario = fileURLToPath(new URL('../../tools/bench/unlimited.yaml', import.meta.url))
const body = '{"name":"Rex","categoryId":1}'
const requestOf = (key: string, target: string, created = '') =>
  `${created === '' ? 'GET' : 'POST'} ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${created.length}\r\n\r\n${created}`

async function sigtermUnderLoad(): Promise<void> {
  const file = join(directoryWith({}), 's.json')
  const args = ['--state', file, '--scenario', scenario]
  const { ready, child, ended } = await serveJson(args)
  const counts = { answered: 0, created: 0 }
  const client = async () => {
    const connection = new Connection(Number(new URL(ready.url).port))
    onTestFinished(() => connection.close())
    await connection.open()
    for (let number = 0; ; number += 1) {
      const { status } = await connection.call(requestOf('bench', '/v1/pets', number % 3 === 0 ? body : ''))
      expect([200, 201]).toContain(status)
      counts.answered += 1
      if (status === 201) counts.created += 1
      if (counts.answered === 2_000) child.kill('SIGTERM')
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: 40 }, client))
  for (const end of ends)
    expect(String(end.status === 'rejected' && end.reason)).toMatch(/before its answer|ECONN|EPIPE/)
  expect(await ended).toMatchObject({ code: 0, stderr: '' })

  // The state has exactly the calls that were answered.
  const again = await serveJson(args)
  const ask = adminOf(new URL(again.ready.admin).host)
  const { keys } = (await ask('GET /keys')).json as { keys: { key: string; used: { day: number } }[] }
  const used = keys.find(({ key }) => key === 'bench')?.used.day
  expect({ used, ...((await ask('GET /pets?limit=1')).json as object) }).toMatchObject({
    used: counts.answered,
    total: 100 + counts.created,
  })
}

async function noDescriptors(): Promise<void> {
  const file = join(directoryWith({}), 's.json')
  const options = { shell: 'ulimit -n 64' }
  const { ready, stderr, untilTold, stop, listPets } = await serve(['--state', file], options)
  const port = Number(new URL(ready.url).port)
  const first = new Connection(port)
  onTestFinished(() => first.close())
  await first.open()
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  const connectSome = (count: number) => {
    for (let one = 0; one < count; one += 1) sockets.push(connect(port, '127.0.0.1').on('error', () => {}))
  }
  connectSome(100)
  // A file that the server had open meanwhile leaves a descriptor free, until one more connection takes it.
  while (!stderr().includes('Cannot save')) {
    connectSome(1)
    expect((await first.call(requestOf('demo-enterprise', '/v1/pets', body))).status).toBe(201)
    await sleep(50)
  }
  expect(sockets.some(socket => socket.closed)).toBe(true)
  expect(stderr()).toBe(
    `Cannot save ${file} (too many open files). The server keeps running, and tries again to save.\n`,
  )
  expect((await first.call(requestOf('demo-enterprise', '/v1/pets/101'))).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  await untilTold(/works again/)
  expect(await listPets()).toBe(200)
  expect(await stop()).toMatchObject({ code: 0 })
}

const readers = 5

/** Connections that ask for events and read nothing. Small buffers in the system, which Node cannot ask for, fill at once. */
const deafReaders = `
import socket, sys
port, count = int(sys.argv[1]), int(sys.argv[2])
kept = []
for _ in range(count):
    reader = socket.socket()
    reader.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    reader.connect(("127.0.0.1", port))
    reader.sendall(b"GET /__admin/events HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
    kept.append(reader)
sys.stdin.read()`

async function unreadEvents(context: Parameters<Failure>[0]): Promise<void> {
  const python = requireOrSkip(context, 'python3', findProgram('python3'))
  requireOrSkip(context, '/proc (Linux)', process.platform === 'linux' || undefined)
  const { ready, child, ended } = await serveJson(['--scenario', scenario, '--journal', '0'])
  const port = Number(new URL(ready.admin).port)
  const descriptors = () => readdirSync(`/proc/${child.pid}/fd`).length
  const caller = new Connection(port)
  onTestFinished(() => caller.close())
  await caller.open()
  const callAll = async () => {
    for (let number = 0; number < 60; number += 1) {
      const key = `bench+${`${number}`.padStart(64, '-')}`
      expect((await caller.call(requestOf(key, '/v1/pets/1'))).status).toBe(200)
    }
  }
  await callAll()
  const before = descriptors()
  const deaf = spawn(python, ['-c', deafReaders, `${port}`, `${readers}`], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  onTestFinished(() => {
    deaf.kill('SIGKILL')
  })
  while (descriptors() < before + readers) await sleep(10)
  // The API answers all the time.
  while (descriptors() > before) await callAll()
  expect(deaf.exitCode).toBe(null)
  const reader = await readEvents(new URL(ready.admin).origin)
  onTestFinished(reader.stop)
  while (Object.keys(reader.newest).length < 61) await sleep(10)
  reader.stop()
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
}

export const loadFailures: Readonly<Record<string, Failure>> = {
  'SIGTERM under load': sigtermUnderLoad,
  'no file descriptors left': noDescriptors,
  'reader of events that does not read': unreadEvents,
}
