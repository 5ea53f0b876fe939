import type { Flight } from './flight.ts'
import type { Axis } from './flight-axis.ts'
import { layout, line, round, text } from './flight-shapes.ts'

const windows = [
  { name: 'minute', dashes: '' },
  { name: 'day', dashes: ' stroke-dasharray="6 4"' },
] as const

/** What both windows had left, as parts of their limits: steps, since nothing changes between calls. */
export function drawLines({ calls }: Flight, axis: Axis): readonly string[] {
  const { top, bottom } = layout.lines
  return [
    text(layout.left, top - 9, 'Left of the quota, %', 'start', 'flight-name'),
    text(layout.left - 6, top + 10, '100', 'end'),
    text(layout.left - 6, bottom, '0', 'end'),
    line(layout.left, top, layout.right, top),
    line(layout.left, bottom, layout.right, bottom),
    ...windows.flatMap(({ name, dashes }) => {
      const steps = calls.flatMap(({ left }, index) => {
        if (left === null) return []
        const [remaining, limit] = left[name]
        return [
          [axis.ofCall(index), bottom - (bottom - top) * (limit === 0 ? 0 : remaining / limit)] as const,
        ]
      })
      const path = pathOf(steps)
      return path === ''
        ? []
        : [
            `<path class="flight-${name}" d="${path}" fill="none" stroke="var(--flight-ink)" stroke-width="2" stroke-linejoin="round"${dashes}/>`,
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
  // A single call is a short line, or nobody would see it.
  return path === '' || /[HV]/.test(path) ? path : `${path}h6`
}
