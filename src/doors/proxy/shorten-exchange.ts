import type { Exchange } from '../../emulator/journal/exchange.ts'
import { keptBody } from '../../emulator/journal/recorded-call.ts'

/** Cuts the bodies to what a journal keeps. Copies them, because a view or a slice would keep the whole body in memory. */
export function shortenExchange(exchange: Exchange): Exchange {
  const { call, reply, cut } = exchange
  const { body } = call
  const isLongCall = body instanceof Uint8Array && body.length > keptBody
  const isLongReply = reply.body !== undefined && reply.body.length > keptBody
  if (!isLongCall && !isLongReply) return exchange
  return {
    ...exchange,
    call: isLongCall ? { ...call, body: new Uint8Array(body.subarray(0, keptBody)) } : call,
    reply: isLongReply
      ? { ...reply, body: Buffer.from((reply.body ?? '').slice(0, keptBody)).toString() }
      : reply,
    cut: {
      call: isLongCall ? body.length : cut.call,
      reply: isLongReply ? Buffer.byteLength(reply.body ?? '') : cut.reply,
    },
  }
}
