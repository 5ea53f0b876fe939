import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Reply } from '../../service/call/call.ts'

/**
 * Milliseconds until a connection closes after its last reply: of silence, and in all. Closing at once would reset a
 * connection whose client still sends, and the client would lose the reply.
 */
const lingerMs = 1_000
const mostLingerMs = 5_000
/** Milliseconds that a client may go on sending a request that has its reply. */
const mostEarlyMs = 30_000

/** `isLast`: the connection closes after this reply. */
export function writeReply(response: ServerResponse, reply: Reply, isLast = false): void {
  response.writeHead(reply.status, isLast ? { ...reply.headers, Connection: 'close' } : reply.headers)
  if (reply.octets === undefined) response.end(reply.body)
  else response.end(reply.octets, 'latin1')
}

/** Answers a client that is still sending. The connection closes when the client stops or is silent for a moment. */
export function writeReplyEarly(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, { ...reply.headers, Connection: 'close' })
  if (reply.body !== undefined) response.write(reply.body)
  else response.flushHeaders()
  endGently(request, response)
}

/** Ends a reply when the client stops sending its request, or is silent for a moment. */
export function endGently(request: IncomingMessage, response: ServerResponse): void {
  const stop = () => {
    clearTimeout(silence)
    clearTimeout(patience)
    response.end()
  }
  const silence = setTimeout(stop, lingerMs)
  const patience = setTimeout(stop, mostEarlyMs)
  request
    .on('data', () => silence.refresh())
    .once('end', stop)
    .once('close', stop)
}

/** Ends a connection so that a client that is still sending gets what was sent to it. */
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

/** Writes a reply where Node has no response object, and ends the connection. */
export function writeReplyByHand(socket: Duplex, { status, headers, body = '' }: Reply): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  closeGently(socket)
}
