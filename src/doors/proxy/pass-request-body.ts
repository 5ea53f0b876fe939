import type { ClientRequest, IncomingMessage } from 'node:http'
import type { CallRecord } from './call-record.ts'
import { pairsOf } from './message-headers.ts'

/** The beginning of a body that was read before the call is forwarded. */
export interface BodyHead {
  readonly bytes: Uint8Array
  readonly isWhole: boolean
}

/** Reads a body, or a little more than `most` bytes of it, and stops reading. Never calls back if the client leaves. */
export function readHead(request: IncomingMessage, most: number, done: (head: BodyHead) => void): void {
  const chunks: Buffer[] = []
  let size = 0
  const stop = (isWhole: boolean) => {
    request.off('data', take).off('end', end).pause()
    done({ bytes: Buffer.concat(chunks), isWhole })
  }
  const take = (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size > most) stop(false)
  }
  const end = () => stop(true)
  request.on('data', take).on('end', end)
}

/** Passes the body of a request on as it comes. */
export function passRequestBody(
  request: IncomingMessage,
  sent: ClientRequest,
  head: BodyHead | undefined,
  { requestBody }: CallRecord,
): void {
  const end = () => {
    if (request.rawTrailers.length > 0) sent.addTrailers(pairsOf(request.rawTrailers))
    sent.end()
  }
  sent.flushHeaders()
  if (head !== undefined) {
    requestBody.add(head.bytes)
    sent.write(head.bytes)
    if (head.isWhole) {
      end()
      return
    }
  }
  request.on('data', chunk => requestBody.add(chunk)).pipe(sent, { end: false })
  request.once('end', end)
  // An upstream that has answered may not read on. The client may still finish its request.
  sent.once('close', () => {
    if (!request.readableEnded) request.unpipe(sent).resume()
  })
}
