import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { pairsOf } from '../../service/call/headers.ts'
import { createBodyBudget, readBody } from '../server/bodies.ts'
import type { CallRecord } from './call-record.ts'

/** The beginning of a body that was read before the call is forwarded. */
export interface BodyHead {
  readonly bytes: Uint8Array
  readonly isWhole: boolean
}

/**
 * Reads a body, or a little more than `most` bytes of it, and stops reading. It stops earlier if the bodies under way take
 * too much together. Never calls back if the client leaves.
 */
export function createHeadReader(most: number) {
  const share = createBodyBudget()
  return (request: IncomingMessage, response: ServerResponse, done: (head: BodyHead) => void) => {
    const { takes, release } = share()
    // The call keeps the head until then.
    response.once('close', release)
    readBody(
      request,
      size => size <= most && takes(size),
      (body, rest) => {
        request.pause()
        done({ bytes: rest === undefined ? body : Buffer.concat([body, rest]), isWhole: rest === undefined })
      },
    )
  }
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
