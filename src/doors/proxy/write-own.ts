import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Reply } from '../../service/call/call.ts'
import { writeReply, writeReplyEarly } from '../server/write-reply.ts'

/** Writes an answer that the proxy or a rule makes. */
export function writeOwn(
  request: IncomingMessage,
  response: ServerResponse,
  { hasBody, isClosing }: { readonly hasBody: boolean; readonly isClosing: boolean },
  reply: Reply,
): void {
  const isRead = request.complete || !hasBody
  if (!isRead) writeReplyEarly(request.resume(), response, reply)
  else if (!isClosing) writeReply(response, reply)
  else writeReply(response, { ...reply, headers: { ...reply.headers, Connection: 'close' } })
}
