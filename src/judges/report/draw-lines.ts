import type { Flight } from './flight.ts'
import type { Axis } from './flight-axis.ts'
import { layout, line, round, text } from './flight-shapes.ts'
import { type Shape, shape } from './shape.ts'

const dashes = { minute: undefined, day: '6 4' } as const

/** The share of each limit that is left, as steps, because nothing changes between calls. */
export function drawLines({ calls }: Flight, axis: Axis): readonly Shape[] {
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
