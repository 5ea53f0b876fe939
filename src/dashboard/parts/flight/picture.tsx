import { h, type VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { drawFlight } from '../../../judges/report/draw-flight.ts'
import type { Flight } from '../../../judges/report/flight.ts'
import type { Shape } from '../../../judges/report/shape.ts'

/** The picture of the reports, as elements. */
export function Picture({ flight, id }: { readonly flight: Flight; readonly id: string }) {
  return useMemo(() => build(drawFlight(flight, id)), [flight, id])
}

function build({ tag, attributes, children }: Shape): VNode {
  return h(tag, attributes, ...children.map(child => (typeof child === 'string' ? child : build(child))))
}
