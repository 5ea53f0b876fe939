import type { Exchange } from '../../emulator/journal/exchange.ts'
import { belowBase, bodyText, byName } from '../../judges/contract/prism/exchange-texts.ts'
import { createLeftOut, mostCalls, type SeenCall } from '../../judges/recording/seen-call.ts'
import { seenKey } from '../../judges/recording/seen-credential.ts'

/** Characters of all bodies that a recording keeps. */
const mostText = 64 * 2 ** 20

/** Keeps the calls that pass, for a recording. `base`: the API's base path. */
export function createProxyRecorder(base: string) {
  const calls: SeenCall[] = []
  const leftOut = createLeftOut()
  let size = 0
  const whyNot = ({ call, reply, trace, cut }: Exchange): string | undefined => {
    if (belowBase(call.target.split('?', 1)[0] ?? '', base) === undefined) return 'calls outside the API'
    if (trace.code === 'upstream_failed' || reply.fault !== undefined) return 'there is no complete answer'
    if (cut.call !== undefined) return 'the body of the call was not kept'
    if (calls.length >= mostCalls) return `calls beyond the first ${mostCalls}`
    return size > mostText ? `calls beyond ${mostText / 2 ** 20} MiB of bodies` : undefined
  }
  return {
    calls,
    leftOut,
    /** An exchange with its secrets. */
    add: (exchange: Exchange): void => {
      const { call, reply } = exchange
      const reason = whyNot(exchange)
      if (reason !== undefined) {
        leftOut.add(reason)
        return
      }
      const headers = byName(call.headers)
      const body = bodyText(call.body)
      size += (body?.length ?? 0) + (reply.body?.length ?? 0)
      calls.push({
        sentAt: call.receivedAt,
        answeredAt: exchange.answeredAt ?? call.receivedAt,
        method: call.method,
        target: `/v1${belowBase(call.target, base) ?? ''}`,
        key: seenKey(headers.authorization),
        headers,
        body,
        answer: {
          status: reply.status,
          headers: byName(Object.entries(reply.headers).flat()),
          body: reply.body,
        },
      })
    },
  }
}
