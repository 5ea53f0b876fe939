import { formatCount } from '../../base/text/quantities.ts'
import { type AnswerKind, answerKind, answerKinds, type Flight, type FlightCall } from './flight.ts'
import { type Shape, shape } from './markup.ts'

/** The parts of the chart, in its own units. */
export const layout = {
  width: 960,
  height: 372,
  left: 56,
  right: 944,
  /** Bars of calls over time. */
  bars: { top: 26, bottom: 146 },
  /** A cross for each refused call. */
  crosses: 161,
  /** The quota that is left in both windows. */
  lines: { top: 200, bottom: 308 },
  axis: 326,
  legend: 358,
} as const

/**
 * Draws calls over time, the quota left, refusals, waits and bans as an element of SVG. `id` is its id in the page. Colours are
 * the custom properties of `page.css`; patterns, shapes and dashes distinguish the parts without colour.
 */
export function drawFlight(flight: Flight, id: string): Shape {
  const axis = axisOf(flight)
  const { width, height } = layout
  return shape(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: 'flight',
      role: 'img',
      viewBox: `0 0 ${width} ${height}`,
      'aria-labelledby': `${id}-title ${id}-desc`,
    },
    shape('title', { id: `${id}-title` }, `Calls over time: ${flight.title}`),
    shape('desc', { id: `${id}-desc` }, describeFlight(flight)),
    patterns(id),
    ...drawSpans(flight, axis, id),
    ...drawBars(flight, axis, id),
    ...drawCrosses(flight, axis),
    ...drawLines(flight, axis),
    ...nameSpans(flight, axis),
    ...axis.ticks.flatMap(({ x, label, anchor }) => [
      line(x, layout.lines.bottom, x, layout.lines.bottom + 5),
      text(x, layout.axis, label, anchor),
    ]),
    ...legend(id),
  )
}

export function describeFlight({ calls, spans, omitted }: Flight): string {
  const counted = kindsOf(calls)
  const all = calls.reduce((sum, { count = 1 }) => sum + count, 0)
  const answers = answerKinds.flatMap(kind =>
    counted[kind] > 0 ? `${counted[kind]} ${kindNames[kind]}` : [],
  )
  const bans = spans.filter(({ kind }) => kind === 'ban').length
  const waits = spans.length - bans
  return [
    `${formatCount(all, 'call')}: ${answers.join(', ') || 'none'}.`,
    ...(waits === 0 ? [] : [`${formatCount(waits, 'wait')}.`]),
    ...(bans === 0 ? [] : [`${formatCount(bans, 'ban')}.`]),
    ...(omitted === 0 ? [] : [`${omitted} earlier calls are not shown.`]),
  ].join(' ')
}

const kindNames: Readonly<Record<AnswerKind, string>> = {
  served: 'served',
  refused: 'refused with 429',
  invalid: 'other 4xx',
  failed: '5xx',
}

function kindsOf(calls: Flight['calls']): Record<AnswerKind, number> {
  const counted = { served: 0, refused: 0, invalid: 0, failed: 0 }
  for (const { status, count = 1 } of calls) counted[answerKind(status)] += count
  return counted
}

const barCount = 74

function drawBars({ calls }: Flight, axis: Axis, id: string): readonly Shape[] {
  const { top, bottom } = layout.bars
  const step = (layout.right - layout.left) / barCount
  const bins = Array.from({ length: barCount }, (): FlightCall[] => [])
  calls.forEach((call, index) => {
    const bin = Math.min(barCount - 1, Math.floor((axis.ofCall(index) - layout.left) / step))
    bins[bin]?.push(call)
  })
  const counts = bins.map(kindsOf)
  const sizes = counts.map(counted => answerKinds.reduce((sum, kind) => sum + counted[kind], 0))
  const most = Math.max(1, ...sizes)
  const scale = (bottom - top) / most
  const bars = counts.flatMap((counted, bin) => {
    let base = bottom
    return answerKinds.flatMap(kind => {
      if (counted[kind] === 0) return []
      const height = counted[kind] * scale
      base -= height
      const corner = { x: round(layout.left + bin * step + 1), y: round(base) }
      const size = { width: round(step - 2), height: round(height) }
      return [shape('rect', { ...corner, ...size, fill: fillOf(kind, id) })]
    })
  })
  return [
    text(layout.left, 16, 'Calls', 'start', 'flight-name'),
    text(layout.left - 6, top + 10, `${most}`, 'end'),
    text(layout.left - 6, bottom, '0', 'end'),
    line(layout.left, bottom, layout.right, bottom),
    ...bars,
  ]
}

function fillOf(kind: AnswerKind, id: string): string {
  return kind === 'served' ? 'var(--flight-served)' : `url(#${id}-${kind})`
}

/** Patterns that differ without colour. */
function patterns(id: string): Shape {
  const stroke = { stroke: 'var(--flight-paper)', 'stroke-width': 1.5 }
  const size = { width: 6, height: 6 }
  const pattern = (kind: AnswerKind, mark: Shape) => {
    const ground = shape('rect', { ...size, fill: `var(--flight-${kind})` })
    return shape('pattern', { id: `${id}-${kind}`, ...size, patternUnits: 'userSpaceOnUse' }, ground, mark)
  }
  const ban = { d: 'M0 8L8 0', stroke: 'var(--flight-ban)', 'stroke-width': 1.5, opacity: 0.55 }
  const banned = { id: `${id}-ban`, width: 8, height: 8, patternUnits: 'userSpaceOnUse' }
  return shape(
    'defs',
    {},
    pattern('refused', shape('path', { d: 'M0 6L6 0', ...stroke })),
    pattern('invalid', shape('circle', { cx: 3, cy: 3, r: 1.3, fill: 'var(--flight-paper)' })),
    pattern('failed', shape('path', { d: 'M0 3H6', ...stroke })),
    shape('pattern', banned, shape('path', ban)),
  )
}

function drawCrosses({ calls }: Flight, axis: Axis): readonly Shape[] {
  const places = new Set(
    calls.flatMap(({ status }, index) => (status === 429 ? [Math.round(axis.ofCall(index))] : [])),
  )
  if (places.size === 0) return []
  const marks = [...places].map(x => `M${x - 4} ${layout.crosses - 4}l8 8m0 -8l-8 8`).join('')
  return [text(layout.left - 6, layout.crosses + 4, '429', 'end'), stroked(marks, 'refused', 1.5)]
}

function stroked(d: string, color: string, width: number, dashes?: string): Shape {
  const stroke = { stroke: `var(--flight-${color})`, 'stroke-width': width, 'stroke-dasharray': dashes }
  return shape('path', { d, fill: 'none', ...stroke })
}

const swatchPlaces = { served: 56, refused: 138, invalid: 270, failed: 366 } as const

function legend(id: string): readonly Shape[] {
  const y = layout.legend
  const swatches = answerKinds.flatMap(kind => {
    const x = swatchPlaces[kind]
    const place = { x, y: y - 10, width: 12, height: 12 }
    return [shape('rect', { ...place, fill: fillOf(kind, id) }), text(x + 17, y, kindNames[kind])]
  })
  const dash = (x: number, dashes: string | undefined, name: string) => [
    stroked(`M${x} ${y - 4}h24`, 'ink', 2, dashes),
    text(x + 30, y, name),
  ]
  const edge = { stroke: 'var(--flight-ink)', 'stroke-width': 0.75 }
  const box = (x: number, fill: string, name: string) => [
    shape('rect', { x, y: y - 10, width: 18, height: 12, fill, ...edge }),
    text(x + 23, y, name),
  ]
  return [
    ...swatches,
    ...dash(430, undefined, 'left this minute'),
    ...dash(578, '6 4', 'left today'),
    ...box(698, 'var(--flight-wait)', 'must wait'),
    ...box(814, `url(#${id}-ban)`, 'banned'),
  ]
}

const dashes = { minute: undefined, day: '6 4' } as const

/** The share of each limit that is left, as steps, because nothing changes between calls. */
function drawLines({ calls }: Flight, axis: Axis): readonly Shape[] {
  const { top, bottom } = layout.lines
  return [
    text(layout.left, top - 9, 'Quota left, %', 'start', 'flight-name'),
    text(layout.left - 6, top + 10, '100', 'end'),
    text(layout.left - 6, bottom, '0', 'end'),
    line(layout.left, top, layout.right, top),
    line(layout.left, bottom, layout.right, bottom),
    ...(['minute', 'day'] as const).flatMap(name => {
      const steps = calls.flatMap(({ left }, index) => {
        if (left === null) return []
        const [remaining, limit] = left[name]
        const share = limit === 0 ? 0 : remaining / limit
        return [[axis.ofCall(index), bottom - (bottom - top) * share] as const]
      })
      if (steps.length === 0) return []
      return [
        shape('path', {
          class: `flight-${name}`,
          d: pathOf(steps),
          fill: 'none',
          stroke: 'var(--flight-ink)',
          'stroke-width': 2,
          'stroke-linejoin': 'round',
          'stroke-dasharray': dashes[name],
        }),
      ]
    }),
  ]
}

function pathOf(steps: readonly (readonly [x: number, y: number])[]): string {
  const [[x, y] = [0, 0]] = steps
  const moves = steps.map(([x, y]) => `H${round(x)}V${round(y)}`)
  const distinct = moves.filter((move, index) => index > 0 && move !== moves[index - 1])
  // A single call becomes a short line, so that it is visible.
  return `M${round(x)} ${round(y)}${distinct.join('') || 'h6'}`
}

function drawSpans({ spans }: Flight, axis: Axis, id: string): readonly Shape[] {
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

function nameSpans({ spans }: Flight, axis: Axis): readonly Shape[] {
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
function placeOf({ from, to }: Flight['spans'][number], axis: Axis) {
  const start = Math.min(axis.of(from), layout.right - 3)
  return { start, width: Math.max(3, Math.min(layout.right, axis.of(to)) - start) }
}

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

export function text(x: number, y: number, words: string, anchor = 'start', name?: string): Shape {
  const place = { x: round(x), y: round(y), 'text-anchor': anchor === 'start' ? undefined : anchor }
  return shape('text', { ...place, class: name }, words)
}

export function line(x1: number, y1: number, x2: number, y2: number): Shape {
  const d = `M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}`
  return shape('path', { d, stroke: 'var(--flight-rule)' })
}

export function round(value: number): number {
  return Math.round(value * 10) / 10
}
