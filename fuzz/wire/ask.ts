import { Broken } from '../lane.ts'
import { exchange } from './connection.ts'
import { readReplies, type WireReply } from './read-replies.ts'

/** Sends one plain request and returns its reply. */
export async function ask(port: number, method: string, target: string, body?: string): Promise<WireReply> {
  const bytes = body === undefined ? '' : Buffer.from(body).toString('latin1')
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    'Authorization: Bearer demo-pro',
    'Connection: close',
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${bytes.length}`]),
  ]
  const sent = `${lines.join('\r\n')}\r\n\r\n${bytes}`
  const read = (received: string) => readReplies(received, () => 'any').replies[0]
  const delivery = { cuts: [], pauseMs: 0, end: 'wait' } as const
  const reply = read(await exchange(port, sent, delivery, received => read(received) !== undefined))
  if (reply === undefined) throw new Broken(`${method} ${target} got no whole reply`)
  return reply
}
