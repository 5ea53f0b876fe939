import { request as httpRequest } from 'node:http'
import { openHttpDoor } from '../../../src/doors/server/http-door.ts'
import type { Emulator } from '../../../src/emulator/emulator.ts'
import type { Door, Way } from './door.ts'
import { type CompleteRequest, complete, type TestReply } from './request.ts'

export const overHttp: Door = { name: 'over HTTP', cannot: () => undefined, start: () => openOverHttp }

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
