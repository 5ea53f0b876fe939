import { connect, type Socket } from 'node:net'
import { type onTestFinished, test } from 'vitest'
import { shippedFixtures } from '../../src/control/fixtures/fixtures.ts'
import { createPages } from '../../src/doors/admin/pages/find-page.ts'
import type { ReadPageFile } from '../../src/doors/admin/pages/send-file.ts'
import { leadToDashboard } from '../../src/doors/admin/pages/wants-page.ts'
import type { AdminOptions } from '../../src/doors/admin/plane.ts'
import { type HttpDoor, type HttpDoorOptions, openHttpDoor } from '../../src/doors/server/http-door.ts'
import { lateAdminPlane } from '../../src/doors/server/load-admin.ts'
import { serveContract } from '../../src/doors/server/served-contract.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator/emulator.ts'
import { loopbackOnly } from '../../src/emulator/replies/cors.ts'
import type { TestReply } from './doors.ts'
import { scenarioOf } from './scenarios.ts'

export interface ServerOptions extends Partial<Omit<EmulatorOptions, 'startedAt'>> {
  readonly timeouts?: HttpDoorOptions['timeouts']
  /** Where it listens. Default: 127.0.0.1. */
  readonly listen?: string
  /** Default: any free one. */
  readonly port?: number
  /** Of the admin plane. */
  readonly token?: string
  readonly snapshotLimit?: number
  /** The files of the dashboard. */
  readonly pages?: ReadPageFile
  readonly tls?: HttpDoorOptions['tls']
  readonly onRefusal?: HttpDoorOptions['onRefusal']
  /** The one of an opened box, in place of a new one. */
  readonly emulator?: Emulator
  readonly opened?: AdminOptions['opened']
  readonly copyBox?: AdminOptions['copyBox']
}

export interface TestServer {
  readonly emulator: Emulator
  readonly door: HttpDoor
  readonly port: number
  /** As in a Host header. */
  readonly host: string
  readonly connect: () => Promise<RawClient>
  /** Sends bytes on a connection of their own, and reads one reply. */
  readonly ask: (sent: Bytes) => Promise<TestReply>
}

export interface RawClient {
  readonly socket: Socket
  readonly send: (bytes: Bytes) => void
  /** The next reply. `head`: it answers a HEAD request. Rejects when the connection ends before it is whole. */
  readonly reply: (options?: { readonly head?: boolean }) => Promise<TestReply>
  /** Waits until the server has closed its side, and tells what it sent that nobody read. */
  readonly end: () => Promise<string>
  /** Ends abruptly, with a TCP reset. */
  readonly reset: () => void
}

export type Bytes = string | Uint8Array

type Finished = typeof onTestFinished

interface Servers {
  /** Opens an emulator behind a door of its own; both are gone when the test is over, and neither may have failed. */
  readonly open: (options?: ServerOptions) => Promise<TestServer>
}

/** Tests over real sockets on loopback. */
export const serverTest = test.extend<Servers>({
  open: async ({ onTestFinished }, use) => {
    await use(options => openServer(onTestFinished, options))
  },
})

async function openServer(finished: Finished, options: ServerOptions = {}): Promise<TestServer> {
  const {
    timeouts,
    onRefusal,
    listen = '127.0.0.1',
    port = 0,
    token,
    snapshotLimit,
    tls,
    pages,
    emulator: given,
    opened,
    copyBox,
    ...rest
  } = options
  const cors = rest.cors ?? loopbackOnly
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const ownEmulator = () =>
    createEmulator({
      onError,
      scenario: scenarioOf({}),
      ...(pages && { contract: leadToDashboard(serveContract({ token: undefined, isExposed: false })) }),
      ...rest,
      startedAt: Date.now(),
    })
  const emulator = given ?? ownEmulator()
  const door = await openHttpDoor({
    handle: emulator.answer,
    usesBody: emulator.usesBody,
    host: listen,
    port,
    tls,
    admin: lateAdminPlane({
      emulator,
      fixtures: shippedFixtures,
      door: 'server',
      allowedHosts: options.allowedHosts ?? [],
      trustProxy: options.trustProxy ?? false,
      token,
      opened,
      copyBox,
      findPage: pages && createPages({ read: pages, cors }),
      ...(snapshotLimit !== undefined && { snapshotLimit }),
      onError,
    }),
    // Durations are measured only for a reader.
    onLatency: () => {},
    onError,
    ...(timeouts && { timeouts }),
    ...(onRefusal && { onRefusal }),
  })
  finished(async () => {
    await door.close(0)
    if (errors.length > 0) throw errors[0]
  })
  const connectClient = () => connectRaw(finished, door.port)
  const ask = async (sent: Bytes) => {
    const client = await connectClient()
    client.send(sent)
    return await client.reply()
  }
  return { emulator, door, port: door.port, host: `127.0.0.1:${door.port}`, connect: connectClient, ask }
}

function connectRaw(finished: Finished, port: number): Promise<RawClient> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    finished(() => {
      socket.destroy()
    })
    let received = ''
    let isOver = false
    let look = () => {}
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      received += text
      look()
    })
    const ended = new Promise<void>(over => {
      const end = () => {
        isOver = true
        look()
        over()
      }
      socket.once('end', end).once('close', end)
    })
    const client: RawClient = {
      socket,
      send: bytes => socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
      reply: ({ head = false } = {}) =>
        new Promise((found, missing) => {
          look = () => {
            try {
              const parsed = readReply(received, head)
              if (parsed !== undefined) {
                received = received.slice(parsed.length)
                look = () => {}
                found(parsed.reply)
              } else if (isOver) {
                throw new Error(`The connection ended after ${JSON.stringify(received.slice(0, 200))}`)
              }
            } catch (error) {
              missing(error)
            }
          }
          look()
        }),
      end: async () => {
        await ended
        return received
      },
      reset: () => socket.resetAndDestroy(),
    }
    socket.once('connect', () => resolve(client)).on('error', reject)
  })
}

/** The first reply in a text of latin1 characters, and its length there; undefined while it is not whole. */
function readReply(received: string, head: boolean): { reply: TestReply; length: number } | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [statusLine = '', ...lines] = received.slice(0, headEnd).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) [\w ]+$/.exec(statusLine)?.[1])
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(': ')
    const name = line.slice(0, colon).toLowerCase()
    if (colon < 1 || name in headers) throw new Error(`A header that is broken or given twice: ${line}`)
    headers[name] = line.slice(colon + 2)
  }
  const hasBody = !head && status !== 204 && status >= 200
  if (hasBody && headers['content-length'] === undefined)
    throw new Error(`No Content-Length in ${statusLine}`)
  const length = headEnd + 4 + (hasBody ? Number(headers['content-length']) : 0)
  if (received.length < length) return undefined
  const text = Buffer.from(received.slice(headEnd + 4, length), 'latin1').toString()
  return { reply: { status, headers, text }, length }
}

/** A request's text. Host and the key `demo-free` are added unless `lines` names them; `body` brings its own Content-Length. */
export function requestText(
  line: string,
  { lines = [], body, key = 'demo-free' }: RequestParts = {},
): string {
  const given = new Set(lines.map(text => text.split(':', 1)[0]?.toLowerCase()))
  const all = [
    `${line} HTTP/1.1`,
    ...(given.has('host') ? [] : ['Host: localhost']),
    ...(given.has('authorization') || key === null ? [] : [`Authorization: Bearer ${key}`]),
    ...(body === undefined || given.has('content-length') || given.has('transfer-encoding')
      ? []
      : [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`]),
    ...(body === undefined || given.has('content-type') ? [] : ['Content-Type: application/json']),
    ...lines,
  ]
  return `${all.join('\r\n')}\r\n\r\n${body ?? ''}`
}

export interface RequestParts {
  readonly lines?: readonly string[]
  /** As latin1 characters. */
  readonly body?: string
  readonly key?: string | null
}

export const rex = JSON.stringify({ name: 'Rex', categoryId: 1 })

/** How many calls `demo-free` has left this minute, told by the emulator itself. */
export function remainingOf({ emulator }: TestServer, key = 'demo-free'): number {
  const found = emulator.sandboxes.default.keys.get(key)
  if (found === undefined) throw new Error(`no key ${key}`)
  return found.quota.minute - found.windows.minute.used
}

export function petCount({ emulator }: TestServer): number {
  return [...emulator.sandboxes.default.pets].length
}
