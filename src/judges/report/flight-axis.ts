import type { Flight } from './flight.ts'
import { layout } from './flight-shapes.ts'

export interface Axis {
  readonly ofCall: (index: number) => number
  readonly of: (at: number) => number
  readonly ticks: readonly { readonly x: number; readonly label: string; readonly anchor: string }[]
}

/** An axis of time. If most calls have the same instant, as on a frozen clock, an axis of calls in order. */
export function axisOf({ calls, spans }: Flight): Axis {
  const instants = new Set(calls.map(({ at }) => at))
  const inOrder = calls.length > 4 && instants.size * 4 < calls.length
  return inOrder ? axisOfCalls(calls) : axisOfTime(calls, spans)
}

const { left, right } = layout

function axisOfCalls(calls: Flight['calls']): Axis {
  const step = (right - left) / calls.length
  const ofCall = (index: number) => left + (index + 0.5) * step
  return {
    ofCall,
    of: at => {
      const after = calls.findIndex(call => call.at >= at)
      return after === -1 ? right : left + after * step
    },
    ticks: [
      { x: left, label: `first call, ${clockTime(calls[0]?.at ?? 0)}`, anchor: 'start' },
      { x: (left + right) / 2, label: 'calls in order, because the clock did not move', anchor: 'middle' },
      { x: right, label: `call ${calls.length}, ${clockTime(calls.at(-1)?.at ?? 0)}`, anchor: 'end' },
    ],
  }
}

const tickCount = 5

function axisOfTime(calls: Flight['calls'], spans: Flight['spans']): Axis {
  const from = Math.min(...calls.map(({ at }) => at), ...spans.map(span => span.from))
  const end = Math.max(...calls.map(({ at }) => at))
  const first = Number.isFinite(from) ? from : 0
  // At least a second, so that a single call has a position.
  const last = Math.max(Number.isFinite(end) ? end : 0, first + 1_000)
  const of = (at: number) =>
    left + ((Math.min(last, Math.max(first, at)) - first) / (last - first)) * (right - left)
  return {
    of,
    ofCall: index => of(calls[index]?.at ?? first),
    ticks: Array.from({ length: tickCount }, (_, index) => {
      const at = first + ((last - first) * index) / (tickCount - 1)
      const anchor = index === 0 ? 'start' : index === tickCount - 1 ? 'end' : 'middle'
      return { x: of(at), label: clockTime(at, last - first), anchor }
    }),
  }
}

const day = 86_400_000

/** The time in UTC: with its date on a long chart, with milliseconds on a short one. */
function clockTime(at: number, length = 0): string {
  const text = new Date(Math.round(at)).toISOString()
  if (length > day) return `${text.slice(0, 10)} ${text.slice(11, 16)}`
  return length > 0 && length < 10_000 ? text.slice(11, 23) : text.slice(11, 19)
}
