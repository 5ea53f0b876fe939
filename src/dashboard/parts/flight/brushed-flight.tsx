import { useSignal } from '@preact/signals'
import type { Flight } from '../../../judges/report/flight.ts'
import { layout } from '../../../judges/report/flight-shapes.ts'
import type { App } from '../../app/app.ts'
import { type Brush, brushBetween, placeOf } from './brush.ts'
import { BrushSliders } from './brush-sliders.tsx'
import { Picture } from './picture.tsx'

export interface BrushedFlightProps {
  readonly app: App
  readonly flight: Flight
  readonly id: string
}

/** A picture that somebody can draw over, to choose its requests. */
export function BrushedFlight({ app, flight, id }: BrushedFlightProps) {
  const brush = useSignal<Brush | undefined>(undefined)
  const start = useSignal<number | undefined>(undefined)
  const positionOf = (event: PointerEvent & { readonly currentTarget: Element }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    return ((event.clientX - left) / width) * layout.width
  }
  const move = (event: PointerEvent & { readonly currentTarget: Element }) => {
    if (start.value !== undefined) brush.value = brushBetween(flight, start.value, positionOf(event))
  }
  const place = brush.value && placeOf(flight, brush.value)
  return (
    <section class="card" aria-label={flight.title}>
      <h2 class="mono">{flight.title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it where the page is narrow. */}
      <section class="scroll" aria-label={`Picture of ${flight.title}`} tabIndex={0}>
        <div
          class="paper"
          onPointerDown={event => {
            event.currentTarget.setPointerCapture(event.pointerId)
            start.value = positionOf(event)
            brush.value = undefined
          }}
          onPointerMove={move}
          onPointerUp={event => {
            move(event)
            start.value = undefined
          }}
          onPointerCancel={() => {
            start.value = undefined
          }}
        >
          <Picture flight={flight} id={id} />
          {place && (
            <span
              class="brush"
              style={{
                left: `${(place.x / layout.width) * 100}%`,
                width: `${(place.width / layout.width) * 100}%`,
              }}
            />
          )}
        </div>
      </section>
      <BrushSliders app={app} flight={flight} brush={brush} />
    </section>
  )
}
