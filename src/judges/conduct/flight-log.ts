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
    add: ({ at, reply: { status }, trace: { limit } }: Exchange) => {
      const shareOf = (window: WindowReading) => [remaining(window), window.limit] as const
      const left = limit ? { minute: shareOf(limit.minute), day: shareOf(limit.day) } : null
      calls.push({ at, status, left })
      // Trimming at every call would be slow.
      if (calls.length >= 2 * mostCalls * portion()) trim()
    },
    addWait: ({ from, until, knownAt, clientUntil, isBan }: Wait) => {
      const to = Number.isFinite(until) ? until : from + (clientUntil - knownAt)
      const last = spans.at(-1)
      const kind = isBan ? 'ban' : 'wait'
      if (last?.from === from && last.kind === kind) spans = spans.slice(0, -1)
      spans = [...spans, { kind, from, to } as const].slice(-Math.ceil(mostSpans * portion()))
    },
    flight: (title: string): Flight => {
      trim()
      const first = calls[0]?.at ?? 0
      return { title, calls: [...calls], spans: spans.filter(({ to }) => to > first), omitted }
    },
  }
}
