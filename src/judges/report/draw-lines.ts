import type { Flight } from './flight.ts'
import type { Axis } from './flight-axis.ts'
import { layout, line, round, text } from './flight-shapes.ts'

const windows = [
  { name: 'minute', dashes: '' },
  { name: 'day', dashes: ' stroke-dasharray="6 4"' },
] as const

/** The share of each limit that is left, as steps, because nothing changes between calls. */
export function drawLines({ calls }: Flight, axis: Axis): readonly string[] {
  const { top, bottom } = layout.lines
  return [
    text(layout.left, top - 9, 'Quota left, %', 'start', 'flight-name'),
    text(layout.left - 6, top + 10, '100', 'end'),
    text(layout.left - 6, bottom, '0', 'end'),
    line(layout.left, top, layout.right, top),
    line(layout.left, bottom, layout.right, bottom),
    ...windows.flatMap(({ name, dashes }) => {
      const steps = calls.flatMap(({ left }, index) => {
        if (left === null) return []
        const [remaining, limit] = left[name]
        const share = limit === 0 ? 0 : remaining / limit
        return [[axis.ofCall(index), bottom - (bottom - top) * share] as const]
      })
      if (steps.length === 0) return []
      return [
        `<path class="flight-${name}" d="${pathOf(steps)}" fill="none" stroke="var(--flight-ink)" stroke-width="2" stroke-linejoin="round"${dashes}/>`,
      ]
    }),
  ]
}

function pathOf(steps: readonly (readonly [x: number, y: number])[]): string {
  let path = ''
  let [lastX, lastY] = [Number.NaN, Number.NaN]
  for (const [exactX, exactY] of steps) {
    const [x, y] = [round(exactX), round(exactY)]
    if (path === '') path = `M${x} ${y}`
    else if (x !== lastX || y !== lastY) path += `H${x}V${y}`
    lastX = x
    lastY = y
  }
  // A single call becomes a short line, so that it is visible.
  return path === '' || /[HV]/.test(path) ? path : `${path}h6`
}
