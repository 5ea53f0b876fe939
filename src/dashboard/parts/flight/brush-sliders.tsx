import type { Signal } from '@preact/signals'
import type { Flight } from '../../../judges/report/flight.ts'
import type { App } from '../../app/app.ts'
import type { Brush } from './brush.ts'

export interface BrushSlidersProps {
  readonly app: App
  readonly flight: Flight
  readonly brush: Signal<Brush | undefined>
  /** Gets the index of the call that a slider chooses. */
  readonly onMove: (index: number) => void
}

/** The choice by keyboard, and the way to its requests. */
export function BrushSliders({ app, flight: { calls, title }, brush, onMove }: BrushSlidersProps) {
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
    <div class="sliders">
      {slider('First', from, value => ({ from: Math.min(value, to), to }))}
      {slider('Last', to, value => ({ from, to: Math.max(value, from) }))}
      <button type="button" disabled={ids.length === 0} onClick={show}>
        Show {ids.length === 1 ? '1 request' : `${ids.length} requests`}
      </button>
    </div>
  )
}
