import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { pairsOf } from './message-headers.ts'

/** Passes 102 and 103 on. `100 Continue` goes to clients that wait for it. */
export function passInterimAnswers(
  sent: ClientRequest,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  sent.on('information', ({ statusCode, rawHeaders }) => {
    if (request.httpVersion !== '1.1' || response.headersSent || response.destroyed) return
    if (statusCode === 102) response.writeProcessing()
    else if (statusCode === 103) {
      const hints = pairsOf(rawHeaders).map(([name, value]) => [name.toLowerCase(), value])
      response.writeEarlyHints(Object.fromEntries(hints))
    }
  })
}
