import type { Exchange } from '../../emulator/journal/exchange.ts'
import { createLeftOut } from '../../judges/exchanges/left-out.ts'
import { belowBase } from '../../judges/exchanges/texts.ts'
import { mostCalls, whyIncomplete } from '../../judges/recording/take.ts'

/** Characters of all bodies that a recording keeps. */
const mostText = 64 * 2 ** 20

/** Keeps the calls that pass, for a recording. `base`: the API's base path. */
export function createProxyRecorder(base: string) {
  const calls: Exchange[] = []
  const leftOut = createLeftOut()
  let size = 0
  const whyNot = (exchange: Exchange): string | undefined => {
    if (belowBase(exchange.call.target.split('?', 1)[0] ?? '', base) === undefined)
      return 'calls outside the API'
    const reason = whyIncomplete(exchange)
    if (reason !== undefined) return reason
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
      size += (call.body?.length ?? 0) + (reply.body?.length ?? 0)
      calls.push({ ...exchange, call: { ...call, target: `/v1${belowBase(call.target, base) ?? ''}` } })
    },
  }
}
