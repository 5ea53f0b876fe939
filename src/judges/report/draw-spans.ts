import type { Flight, FlightSpan } from './flight.ts'
import type { Axis } from './flight-axis.ts'
import { layout, round, text } from './flight-shapes.ts'
import { type Shape, shape } from './shape.ts'

/** Waits and bans as bands in the background. */
export function drawSpans({ spans }: Flight, axis: Axis, id: string): readonly Shape[] {
  return spans.map(span => {
    const { start, width } = placeOf(span, axis)
    const height = layout.lines.bottom - layout.bars.top
    const place = { x: round(start), y: layout.bars.top, width: round(width), height }
    if (span.kind === 'wait') return shape('rect', { ...place, fill: 'var(--flight-wait)' })
    const edge = { stroke: 'var(--flight-ban)', 'stroke-width': 0.75 }
    return shape('rect', { ...place, fill: `url(#${id}-ban)`, ...edge })
  })
}

/** The width of each label, and its distance from the top of its band. */
const names = { wait: { words: 'wait', room: 34, below: 13 }, ban: { words: 'banned', room: 52, below: 28 } }

/** The labels of bands that are wide enough. */
export function nameSpans({ spans }: Flight, axis: Axis): readonly Shape[] {
  const ends = { wait: 0, ban: 0 }
  return spans.flatMap(span => {
    const { words, room, below } = names[span.kind]
    const { start, width } = placeOf(span, axis)
    if (width < room || start < ends[span.kind]) return []
    ends[span.kind] = start + room
    return [text(start + 4, layout.bars.top + below, words, 'start', 'flight-span')]
  })
}

/** At least wide enough to see. */
function placeOf({ from, to }: FlightSpan, axis: Axis): { readonly start: number; readonly width: number } {
  const start = Math.min(axis.of(from), layout.right - 3)
  return { start, width: Math.max(3, Math.min(layout.right, axis.of(to)) - start) }
}
