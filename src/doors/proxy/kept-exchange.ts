import type { Exchange } from '../../emulator/journal/exchange.ts'
import { cutHeaders, keptBody, sizeOfHeaders } from '../../emulator/journal/recorded-call.ts'
import { pairsOf } from '../../service/call/headers.ts'

/** What an exchange takes without its texts, in bytes. */
const overhead = 1_500

/** Cuts long bodies and headers. Copies them: a view or a slice would keep the whole body in memory. */
export function shortenExchange(exchange: Exchange): { readonly kept: Exchange; readonly cost: number } {
  const { call, reply, cut } = exchange
  const { body } = call
  const isLongCall = body instanceof Uint8Array && body.length > keptBody
  const isLongReply = reply.body !== undefined && reply.body.length > keptBody
  const sent = Object.entries(reply.headers).flat()
  const keptHeaders = cutHeaders(sent)
  const kept = {
    ...exchange,
    call: {
      ...call,
      headers: cutHeaders(call.headers),
      body: isLongCall ? new Uint8Array(body.subarray(0, keptBody)) : body,
    },
    reply: {
      ...reply,
      headers: keptHeaders === sent ? reply.headers : Object.fromEntries(pairsOf(keptHeaders)),
      body: isLongReply ? Buffer.from((reply.body ?? '').slice(0, keptBody)).toString() : reply.body,
    },
    cut: {
      call: isLongCall ? body.length : cut.call,
      reply: isLongReply ? Buffer.byteLength(reply.body ?? '') : cut.reply,
    },
  }
  const cost =
    overhead +
    call.target.length +
    sizeOfHeaders(kept.call.headers) +
    sizeOfHeaders(Object.entries(kept.reply.headers).flat()) +
    (kept.call.body instanceof Uint8Array ? kept.call.body.length : 0) +
    2 * (kept.reply.body?.length ?? 0)
  return { kept, cost }
}

/** Only the judge of the service judges a byte order mark. */
export function withoutMark(exchange: Exchange): Exchange {
  const { reply } = exchange
  if (!reply.body?.startsWith('\ufeff')) return exchange
  return { ...exchange, reply: { ...reply, body: reply.body.slice(1) } }
}
