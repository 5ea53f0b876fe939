import { request as httpRequest } from 'node:http'
import { afterEach, describe } from 'vitest'
import type { Call } from '../../src/call/call.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator/emulator.ts'
import { openHttpDoor } from '../../src/server/http-door.ts'
import { advanceClock } from './clock.ts'
import { scenarioOf } from './scenarios.ts'

/** A request as a row of a table writes it; `target` alone is a GET with the key `demo-free`. */
export interface TestRequest {
  readonly method?: string
  readonly target?: string
  /** null: no Authorization header. */
  readonly key?: string | null
  /** Beside Host and Authorization, in order, repeated ones included. */
  readonly headers?: readonly (readonly [string, string])[]
  /** An object is sent as JSON, with its Content-Type. */
  readonly body?: string | Uint8Array | object
}

export interface TestReply {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface OpenDoor {
  readonly emulator: Emulator
  readonly host: string
  readonly send: (request?: TestRequest) => Promise<TestReply>
  /** Moves the default sandbox's clock, which is frozen in most tests. */
  readonly advance: (ms: number) => void
}

type Scenario = EmulatorOptions['scenario']
export type OpenOptions = Omit<EmulatorOptions, 'scenario' | 'startedAt'> & { readonly scenario?: Scenario }
export type Open = (options?: OpenOptions) => Promise<OpenDoor>

/** Runs one suite through every door there is: behaviour must not depend on the way in. */
export function describeDoors(name: string, suite: (open: Open) => void): void {
  for (const [door, open] of Object.entries({ 'in process': openInProcess, 'over HTTP': openOverHttp })) {
    describe(`${name}, ${door}`, () => {
      const closers: (() => Promise<void>)[] = []
      afterEach(async () => {
        await Promise.all(closers.splice(0).map(close => close()))
      })
      suite(async options => {
        const errors: unknown[] = []
        const emulator = createEmulator({
          onError: error => errors.push(error),
          ...options,
          scenario: options?.scenario ?? scenarioOf({}),
          startedAt: Date.now(),
        })
        const { host, send, close } = await open(emulator)
        closers.push(async () => {
          await close()
          if (options?.onError === undefined && errors.length > 0) throw errors[0]
        })
        return { emulator, host, send, advance: ms => advanceClock(emulator.sandboxes.default, ms) }
      })
    })
  }
}

interface Way {
  readonly host: string
  readonly send: OpenDoor['send']
  readonly close: () => Promise<void>
}

/** What node's client says of a reply that does not come whole. */
export const brokenAs: Readonly<Record<string, string>> = {
  reset: 'read ECONNRESET',
  empty: 'socket hang up',
  truncate: 'aborted',
}

async function openInProcess(emulator: Emulator): Promise<Way> {
  const host = '127.0.0.1:7387'
  return {
    host,
    send: async request => {
      const { method, target, headers, body } = complete(request)
      const sent = headers.some(([name]) => name.toLowerCase() === 'host')
        ? headers
        : [['Host', host], ...headers]
      const call: Call = {
        method,
        target,
        headers: sent.flat(),
        body: body === undefined ? undefined : body.length > 1_048_576 ? 'too-large' : body,
        scheme: 'http',
        client: '127.0.0.1',
        receivedAt: Date.now(),
      }
      const reply = emulator.handle(call)
      if (reply.fault !== undefined && reply.fault in brokenAs) throw new Error(brokenAs[reply.fault])
      const lowered = Object.entries(reply.headers).map(([name, value]) => [name.toLowerCase(), value])
      return { status: reply.status, headers: Object.fromEntries(lowered), text: reply.body ?? '' }
    },
    close: async () => {},
  }
}

async function openOverHttp(emulator: Emulator): Promise<Way> {
  const door = await openHttpDoor({
    handle: emulator.handle,
    host: '127.0.0.1',
    port: 0,
    onError: error => {
      throw error
    },
  })
  const host = `127.0.0.1:${door.port}`
  return { host, send: request => sendOverHttp(host, complete(request)), close: () => door.close(0) }
}

/** Sends a request just as it is told, with a Host if none is told. */
export function sendOverHttp(
  host: string,
  { method, target, headers, body }: CompleteRequest,
): Promise<TestReply> {
  return new Promise((resolve, reject) => {
    const sent = headers.some(([name]) => name.toLowerCase() === 'host')
      ? headers
      : [['Host', host] as const, ...headers]
    const withLength = body === undefined ? sent : [...sent, ['Content-Length', `${body.length}`] as const]
    const [hostname, port] = host.split(':')
    const request = httpRequest(
      // A connection that was kept could be closed by the time it is used again: on a busy machine, it is.
      { hostname, port, method, path: target, headers: withLength.flat(), setHost: false, agent: false },
      response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const lowered = Object.entries(response.headers).map(([name, value]) => [name, `${value}`])
          const status = response.statusCode ?? 0
          resolve({ status, headers: Object.fromEntries(lowered), text: Buffer.concat(chunks).toString() })
        })
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

export interface CompleteRequest {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array | undefined
}

function complete(request: TestRequest = {}): CompleteRequest {
  const { method = 'GET', target = '/v1/pets', key = 'demo-free', headers = [], body } = request
  const authorization = key === null ? [] : [['Authorization', `Bearer ${key}`] as const]
  if (body === undefined) return { method, target, headers: [...authorization, ...headers], body: undefined }
  if (typeof body === 'string')
    return { method, target, headers: [...authorization, ...headers], body: encode(body) }
  if (body instanceof Uint8Array) return { method, target, headers: [...authorization, ...headers], body }
  const json = [['Content-Type', 'application/json'] as const]
  return {
    method,
    target,
    headers: [...authorization, ...json, ...headers],
    body: encode(JSON.stringify(body)),
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
