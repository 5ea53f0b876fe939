import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { Flight } from '../../../judges/report/flight.ts'
import { axisOf } from '../../../judges/report/flight-axis.ts'
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

/** A chart that somebody can drag across, to choose its requests. */
export function BrushedFlight({ app, flight, id }: BrushedFlightProps) {
  const brush = useSignal<Brush | undefined>(undefined)
  const start = useSignal<number | undefined>(undefined)
  const scroll = useRef<HTMLDivElement>(null)
  const positionOf = (event: PointerEvent & { readonly currentTarget: Element }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    return ((event.clientX - left) / width) * layout.width
  }
  const move = (event: PointerEvent & { readonly currentTarget: Element }) => {
    if (start.value !== undefined) brush.value = brushBetween(flight, start.value, positionOf(event))
  }
  const place = brush.value && placeOf(flight, brush.value)
  const reveal = (index: number) => {
    const box = scroll.current
    if (box === null) return
    const x = (axisOf(flight).ofCall(index) / layout.width) * box.scrollWidth
    if (x < box.scrollLeft || x > box.scrollLeft + box.clientWidth) box.scrollLeft = x - box.clientWidth / 2
  }
  return (
    <section class="card" aria-label={flight.title}>
      <h2 class="mono">{flight.title}</h2>
      <div class="scroll" ref={scroll}>
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
        {/* Inside, so that the keyboard reaches all of the picture where the page is narrow. */}
        <BrushSliders app={app} flight={flight} brush={brush} onMove={reveal} />
      </div>
    </section>
  )
}
