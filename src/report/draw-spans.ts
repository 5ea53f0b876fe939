import type { Flight, FlightSpan } from './flight.ts'
import type { Axis } from './flight-axis.ts'
import { layout, round, text } from './flight-shapes.ts'
import { attributes } from './markup.ts'

/** Waits and bans as bands behind all else, with their names where there is room for them. */
export function drawSpans({ spans }: Flight, axis: Axis, id: string): readonly string[] {
  return spans.flatMap(span => drawSpan(span, axis, id))
}

/** Room for a name, in the picture's units. */
const room = { wait: 34, ban: 52 }

function drawSpan({ kind, from, to }: FlightSpan, axis: Axis, id: string): readonly string[] {
  const start = axis.of(from)
  const width = Math.max(3, Math.min(layout.right, axis.of(to)) - start)
  const place = {
    x: round(Math.min(start, layout.right - 3)),
    y: layout.bars.top,
    width: round(width),
    height: layout.lines.bottom - layout.bars.top,
  }
  const ban = [
    `<rect${attributes({ ...place, fill: `url(#${id}-ban)`, stroke: 'var(--flight-ban)', 'stroke-width': 0.75 })}/>`,
    ...(width > room.ban ? [text(start + 4, layout.bars.top - 4, 'banned')] : []),
  ]
  const wait = [
    `<rect${attributes({ ...place, fill: 'var(--flight-wait)' })}/>`,
    ...(width > room.wait ? [text(start + 4, layout.bars.top - 4, 'wait')] : []),
  ]
  return kind === 'ban' ? ban : wait
}
