import { axisOf } from '../../../judges/report/draw-flight.ts'
import type { Flight } from '../../../judges/report/flight.ts'

/** A choice of calls: the indices of the first and the last one. */
export interface Brush {
  readonly from: number
  readonly to: number
}

/** The calls between two horizontal positions of a picture; undefined: there is none. */
export function brushBetween(flight: Flight, one: number, other: number): Brush | undefined {
  const axis = axisOf(flight)
  const [left, right] = [Math.min(one, other), Math.max(one, other)]
  const inside = flight.calls.flatMap((_, index) => {
    const x = axis.ofCall(index)
    return x >= left && x <= right ? [index] : []
  })
  const [from] = inside
  const to = inside.at(-1)
  return from === undefined || to === undefined ? undefined : { from, to }
}

/** The horizontal position and the width of a choice, in the units of the picture. */
export function placeOf(flight: Flight, { from, to }: Brush): { readonly x: number; readonly width: number } {
  const axis = axisOf(flight)
  const x = axis.ofCall(from) - 4
  return { x, width: axis.ofCall(to) + 4 - x }
}
