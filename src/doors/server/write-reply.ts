import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Reply } from '../../service/call/call.ts'

/**
 * How long a client that has its answer may be silent before its connection is closed, in milliseconds, and how long it
 * may go on sending what nobody reads. To close at once would reset the connection, and the client would lose the answer
 * with it.
 */
const lingerMs = 1_000
const mostLingerMs = 5_000

export function writeReply(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, reply.headers)
  if (reply.octets === undefined) response.end(reply.body)
  else response.end(reply.octets, 'latin1')
}

/** Answers a client that is still sending, and closes when it has stopped, or has been silent for a moment. */
export function writeReplyEarly(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, { ...reply.headers, Connection: 'close' })
  if (reply.body !== undefined) response.write(reply.body)
  else response.flushHeaders()
  const silence = setTimeout(() => response.end(), lingerMs)
  const stop = () => {
    clearTimeout(silence)
    response.end()
  }
  request
    .on('data', () => silence.refresh())
    .once('end', stop)
    .once('close', stop)
}

/** Ends a connection so that the client still gets what was sent, though it may be sending itself. */
export function closeGently(socket: Duplex): void {
  socket.end()
  const silence = setTimeout(() => socket.destroy(), lingerMs)
  const patience = setTimeout(() => socket.destroy(), mostLingerMs)
  socket
    .on('data', () => silence.refresh())
    .once('close', () => {
      clearTimeout(silence)
      clearTimeout(patience)
    })
    .resume()
}

/** Answers where Node has no response object, because it could not read a request. The connection ends. */
export function writeReplyByHand(socket: Duplex, { status, headers, body = '' }: Reply): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  closeGently(socket)
}
