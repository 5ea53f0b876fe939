import { connect } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { Broken } from '../lane.ts'
import { readReplies, type WireReply } from './read-replies.ts'

export interface Delivery {
  readonly cuts: readonly number[]
  /** Milliseconds between two pieces; 0: a turn of the event loop. */
  readonly pauseMs: number
  /**
   * `close`: the client closes its side after the last byte. `wait`: it closes when `isWhole` accepts what was received.
   * `reset`, `leave`: after the last piece, it ends the connection with a reset or closes it and reads nothing.
   */
  readonly end: 'close' | 'wait' | 'reset' | 'leave'
}

/** Milliseconds that a server has for all replies on a connection, and for its end. */
const answerMs = 20_000

/** Sends bytes on a connection of their own and returns what was received, as latin1 characters. */
export async function exchange(
  port: number,
  sent: string,
  { cuts, pauseMs, end }: Delivery,
  isWhole: (received: string) => boolean = () => true,
): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  socket.setEncoding('latin1')
  let received = ''
  const over = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Broken(`No end within ${answerMs} ms after ${JSON.stringify(received.slice(-300))}`)),
      answerMs,
    )
    const stop = () => {
      clearTimeout(timer)
      resolve()
    }
    // A server may reset a connection that it has closed and that still sends.
    socket.once('end', stop).once('close', stop).on('error', stop)
    socket.on('data', (text: string) => {
      received += text
      try {
        if (end === 'wait' && !socket.writableEnded && isWhole(received)) socket.end()
      } catch (error) {
        clearTimeout(timer)
        reject(error)
      }
    })
  })
  // The wait for it begins after the last piece.
  over.catch(() => {})
  const [first = '', ...later] = pieces(sent, cuts)
  socket.write(first, 'latin1')
  for (const piece of later) {
    await (pauseMs === 0 ? nextTurn() : sleep(pauseMs))
    if (socket.writable) socket.write(piece, 'latin1')
  }
  if (end === 'reset') socket.resetAndDestroy()
  if (end === 'leave') socket.destroy()
  if (end === 'close') socket.end()
  try {
    await over
    return received
  } finally {
    socket.destroy()
  }
}

function pieces(sent: string, cuts: readonly number[]): readonly string[] {
  const places = [0, ...cuts.map(cut => Math.floor(cut * sent.length)).sort((one, other) => one - other)]
  return places.map((place, index) => sent.slice(place, places[index + 1] ?? sent.length))
}

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
