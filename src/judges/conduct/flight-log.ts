import type { Exchange } from '../../emulator/journal/exchange.ts'
import { remaining, type WindowReading } from '../../service/limits/limiter.ts'
import type { Flight, FlightCall, FlightSpan } from '../report/flight.ts'
import type { Portion } from './observed-call.ts'
import type { Wait } from './wait.ts'

const mostCalls = 1_000
const mostSpans = 200

/** The last calls of one caller, for its chart. */
export function createFlightLog(portion: Portion) {
  let calls: FlightCall[] = []
  let spans: FlightSpan[] = []
  let omitted = 0
  const trim = () => {
    const over = calls.length - Math.ceil(mostCalls * portion())
    if (over > 0) calls = calls.slice(over)
    omitted += Math.max(0, over)
  }
  return {
    add: ({ id, at, reply: { status }, trace: { limit } }: Exchange) => {
      const shareOf = (window: WindowReading) => [remaining(window), window.limit] as const
      const left = limit ? { minute: shareOf(limit.minute), day: shareOf(limit.day) } : null
      calls.push({ id, at, status, left })
      // Trimming at every call would be slow.
      if (calls.length >= 2 * mostCalls * portion()) trim()
    },
    addWait: ({ from, until, knownAt, clientUntil, bannedFrom }: Wait) => {
      const end = Number.isFinite(until) ? until : from + (clientUntil - knownAt)
      // A ban may begin during a wait.
      const wait = { kind: 'wait', from, to: bannedFrom ?? end } as const
      const ban = { kind: 'ban', from: bannedFrom ?? end, to: end } as const
      const others = spans.filter(
        span => span.from !== wait.from && !(span.kind === 'ban' && span.from === ban.from),
      )
      spans = [...others, wait, ban]
        .filter(({ from, to }) => to > from)
        .slice(-Math.ceil(mostSpans * portion()))
    },
    flight: (title: string): Flight => {
      trim()
      const first = calls[0]?.at ?? 0
      return { title, calls: [...calls], spans: spans.filter(({ to }) => to > first), omitted }
    },
  }
}
