import { type Shape, shape } from './shape.ts'

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

export function text(x: number, y: number, words: string, anchor = 'start', name?: string): Shape {
  const place = { x: round(x), y: round(y), 'text-anchor': anchor === 'start' ? undefined : anchor }
  return shape('text', { ...place, class: name }, words)
}

export function line(x1: number, y1: number, x2: number, y2: number): Shape {
  return shape('path', {
    d: `M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}`,
    stroke: 'var(--flight-rule)',
  })
}

export function round(value: number): number {
  return Math.round(value * 10) / 10
}
