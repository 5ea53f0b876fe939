import { type Signal, useSignal } from '@preact/signals'
import { h, type VNode } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { PlaneFlight } from '../../../generated/plane-operations.ts'
import { axisOf, drawFlight, layout } from '../../../judges/report/draw-flight.ts'
import type { Flight } from '../../../judges/report/flight.ts'
import type { Shape } from '../../../judges/report/markup.ts'
import type { App, AppProps } from '../../app/app.ts'
import { Button } from '../../design/basics.tsx'
import { Absent, Problem } from '../../design/elements.tsx'
import { useAnswer } from '../../state/live.ts'

import './flight.css'

export function View({ app }: { readonly app: App }) {
  const query = { sandbox: app.sandbox.value, flights: 'true' } as const
  const { value: report, error } = useAnswer(app, 'getConduct', { query })
  if (report === undefined) return <Absent title="No picture" error={error} />
  return (
    <div class="page columns flights">
      <h1>Flight</h1>
      <p class="muted">
        Calls over time, and the quota left. Drag across a chart, or use the two sliders, to choose requests.
      </p>
      {report.flights.length === 0 && <Problem title="No calls yet" />}
      {report.flights.map((flight, index) => (
        <BrushedFlight key={flight.title} app={app} flight={readFlight(flight)} id={`flight-${index}`} />
      ))}
    </div>
  )
}

/** The data of a picture as the plane sends it: a pair is a list there. */
function readFlight({ calls, ...flight }: PlaneFlight): Flight {
  const pair = ([remaining = 0, limit = 0]: readonly number[]) => [remaining, limit] as const
  const read = ({ left, ...call }: PlaneFlight['calls'][number]) => {
    return { ...call, left: left && { minute: pair(left.minute), day: pair(left.day) } }
  }
  return { ...flight, calls: calls.map(read) }
}

/** A chart that somebody can drag across, to choose its requests. */
function BrushedFlight({ app, flight, id }: AppProps & { flight: Flight; id: string }) {
  const brush = useSignal<Brush | undefined>(undefined)
  const start = useSignal<number | undefined>(undefined)
  const scroll = useRef<HTMLDivElement>(null)
  const picture = useMemo(() => build(drawFlight(flight, id)), [flight, id])
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
      <p class="scroll-hint muted">Scroll to the side to see all of it.</p>
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
          {picture}
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

type Sliders = AppProps & {
  flight: Flight
  brush: Signal<Brush | undefined>
  onMove: (index: number) => void
}

/** The choice by keyboard, and the way to its requests. `onMove` gets the index of the call that a slider chooses. */
function BrushSliders({ app, flight: { calls, title }, brush, onMove }: Sliders) {
  const last = calls.length - 1
  const { from, to } = brush.value ?? { from: 0, to: last }
  const ids = calls.slice(from, to + 1).flatMap(({ id }) => id ?? [])
  const show = () => {
    const query = { ...app.places.at.value.query, from: `${Math.min(...ids)}`, to: `${Math.max(...ids)}` }
    app.places.goTo({ part: 'requests', rest: [], query })
  }
  const slider = (name: string, value: number, choose: (value: number) => Brush) => (
    <label>
      <span>{name}</span>
      <input
        type="range"
        aria-label={`${name} request of ${title}`}
        min={0}
        max={last}
        value={value}
        onInput={event => {
          const index = Number(event.currentTarget.value)
          brush.value = choose(index)
          onMove(index)
        }}
      />
    </label>
  )
  return (
    <div class="sliders row">
      {slider('First', from, value => ({ from: Math.min(value, to), to }))}
      {slider('Last', to, value => ({ from, to: Math.max(value, from) }))}
      <Button disabled={ids.length === 0} onClick={show}>
        Show {ids.length === 1 ? '1 request' : `${ids.length} requests`}
      </Button>
    </div>
  )
}

function build({ tag, attributes, children }: Shape): VNode {
  return h(tag, attributes, ...children.map(child => (typeof child === 'string' ? child : build(child))))
}

/** A choice of calls: the indices of the first and the last one. */
interface Brush {
  readonly from: number
  readonly to: number
}

/** The calls between two horizontal positions of a picture; undefined: there is none. */
function brushBetween(flight: Flight, one: number, other: number): Brush | undefined {
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
function placeOf(flight: Flight, { from, to }: Brush): { readonly x: number; readonly width: number } {
  const axis = axisOf(flight)
  const x = axis.ofCall(from) - 4
  return { x, width: axis.ofCall(to) + 4 - x }
}
