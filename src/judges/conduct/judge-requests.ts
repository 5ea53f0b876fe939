import { formatInstant } from '../../base/time/instant.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { clip, quote } from '../../service/call/echo.ts'
import { headerValue } from '../../service/call/headers.ts'
import { holdsKeyInQuery, type ShowText } from '../inspection/conceal.ts'
import { ignoredBy } from '../inspection/ignored.ts'
import { BoundedMap } from './bounded-map.ts'
import { callSite, type Judge, type Note, replyHeader } from './observed-call.ts'

/** What is wrong with calls one by one. `textOf` masks the keys in what an exchange says. */
export function judgeRequests(
  note: Note,
  textOf: (exchange: Exchange) => ShowText,
  isKey: (exchange: Exchange, text: string) => boolean,
): Judge {
  const judgeRepeated = judgeInvalid(note)
  return seen => {
    const { exchange } = seen
    const { call, trace } = exchange
    if (holdsKeyInQuery(call, text => isKey(exchange, text))) {
      note({ id: 'key-in-query', exchange, detail: () => 'a key in its query' })
    } else if (trace.code === 'missing_api_key' && !trace.synthetic) {
      const detail = (count: number) => `${timesOf(count)}, from ${textOf(exchange)(callSite(call))}`
      note({ id: 'missing-key', exchange, detail, group: callSite(call) })
    }
    if (!trace.synthetic) judgeLifetime(exchange, note, textOf)
    for (const { what, name, meant } of ignoredBy(exchange)) {
      const id = what === 'field' ? 'unknown-field' : 'unknown-parameter'
      const shown = quote(textOf(exchange)(name), 40)
      const hint = meant === null ? '' : `; did you mean ${meant}?`
      note({ id, exchange, group: name, detail: count => `${shown}, ${timesOf(count)}${hint}` })
    }
    judgeRepeated(seen)
  }
}

/** Deprecation and removal, by call site. During a brownout an operation is not yet removed: its `Sunset` is told. */
function judgeLifetime(exchange: Exchange, note: Note, textOf: (exchange: Exchange) => ShowText): void {
  const sunset = replyHeader(exchange.reply, 'sunset')
  const isRemoved = exchange.trace.code === 'endpoint_removed' && sunset === undefined
  if (!isRemoved && sunset === undefined) return
  const id = isRemoved ? 'removed-operation' : 'deprecated-operation'
  const site = clip(textOf(exchange)(callSite(exchange.call)))
  const removedAt = Date.parse(sunset ?? '')
  const end = Number.isNaN(removedAt) ? '' : `; it is removed on ${formatInstant(removedAt).slice(0, 10)}`
  note({ id, exchange, group: site, detail: count => `${timesOf(count)}, from ${site}${end}` })
}

const mostWatched = 1_000

/** Refusals that say that the call itself is wrong. A pet that is not there may be there later. */
function isInvalid({ reply: { status }, trace: { code, synthetic } }: Exchange): boolean {
  if (synthetic) return false
  return (
    status === 400 ||
    status === 405 ||
    status === 413 ||
    code === 'route_not_found' ||
    code === 'invalid_api_key'
  )
}

function judgeInvalid(note: Note): Judge {
  const counts = new BoundedMap<string, number>(mostWatched)
  return ({ exchange, fingerprint }) => {
    if (!isInvalid(exchange)) return
    const key = headerValue(exchange.call.headers, 'authorization')
    const call = `${fingerprint} ${typeof key === 'string' ? key : ''}`
    const before = counts.get(call) ?? 0
    counts.set(call, before + 1)
    if (before === 0) return
    const detail = (count: number) => `${exchange.trace.code ?? 'invalid'}, repeated ${timesOf(count)}`
    note({ id: 'invalid-request-repeated', exchange, group: call, detail })
  }
}

function timesOf(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
