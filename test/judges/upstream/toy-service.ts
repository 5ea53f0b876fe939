import type { IncomingMessage } from 'node:http'
import { listenHttp } from '../../support/listen.ts'

export interface ToyReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: unknown
  /** Instead of `body`. */
  readonly text: string
}

export interface ToyCall {
  /** From 1. */
  readonly number: number
  readonly request: IncomingMessage
  readonly key: string | undefined
  /** Epoch seconds. */
  readonly now: number
}

/** What a service answers. A part that is absent is lawful. */
export type Toy = (call: ToyCall) => Partial<ToyReply>

const pets = [{ id: 1, name: 'Rex', categoryId: 1 }]

/** A service with one fixed window of 60 calls, which ends 40 s after its start. */
export async function serveToy(toy: Toy): Promise<URL> {
  const start = Math.floor(Date.now() / 1_000)
  let made = 0
  const { origin } = await listenHttp((request, response) => {
    request.resume()
    made += 1
    const now = Math.floor(Date.now() / 1_000)
    const key = request.headers.authorization?.replace('Bearer ', '')
    const { status = 200, headers = {}, body, text } = toy({ number: made, request, key, now })
    const error = { code: 'some_error', message: 'No.', status }
    const all = {
      'content-type': 'application/json',
      date: new Date().toUTCString(),
      ...limits(60 - made, start + 40),
      ...headers,
    }
    for (const [name, value] of Object.entries(all)) if (value !== undefined) response.setHeader(name, value)
    response.sendDate = false
    response.statusCode = status
    response.end(text ?? JSON.stringify(body ?? (status < 400 ? pets : error)))
  })
  return new URL(`${origin}/v1`)
}

export function limits(remaining: number, reset: number, limit = 60): Readonly<Record<string, string>> {
  return {
    'x-ratelimit-limit': `${limit}`,
    'x-ratelimit-remaining': `${remaining}`,
    'x-ratelimit-reset': `${reset}`,
  }
}
