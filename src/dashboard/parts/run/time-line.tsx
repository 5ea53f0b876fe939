import { useMemo } from 'preact/hooks'
import { toneOf } from '../../design/badge.tsx'
import { clockTime } from '../../design/format.ts'
import type { Answer } from '../../plane/plane.ts'

type Calls = Answer<'listBoxCalls'>['calls']

/** All calls by time. A click chooses the nearest one; the slider does the same with the keyboard. */
export function TimeLine(props: { calls: Calls; number: number; onChoose: (number: number) => void }) {
  const { calls, number, onChoose } = props
  const { times, places, marks } = useMemo(() => layOut(calls), [calls])
  const choose = (event: MouseEvent & { readonly currentTarget: HTMLElement }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const distances = places.map(place => Math.abs(place - ((event.clientX - left) / width) * 100))
    const nearest = distances.indexOf(distances.reduce((least, one) => Math.min(least, one), 100))
    onChoose(calls[nearest]?.number ?? number)
  }
  const chosen = places[Math.min(places.length - 1, number - (calls[0]?.number ?? 1))] ?? 0
  return (
    <figure class="time-line" aria-hidden="true">
      <div onPointerDown={choose}>
        <i class="chosen" style={{ left: `${chosen}%` }} />
        {marks.map(([place, tone]) => (
          <i key={`${place} ${tone}`} data-tone={tone} style={{ left: `${place}%` }} />
        ))}
      </div>
      <figcaption class="muted">
        {times.map(time => (
          <span key={time}>{clockTime(new Date(time).toISOString())}</span>
        ))}
      </figcaption>
    </figure>
  )
}

function layOut(calls: Calls) {
  const at = calls.map(call => Date.parse(call.at))
  // The system's clock may go back in a run.
  const begin = at.reduce((least, time) => Math.min(least, time), at[0] ?? 0)
  const end = at.reduce((most, time) => Math.max(most, time), begin)
  const places = at.map(time => Math.round(((time - begin) / Math.max(1, end - begin)) * 1_000) / 10)
  const marks = places.map((place, index) => [place, toneOf(calls[index]?.status ?? 500)] as const)
  return { times: [begin, end], places, marks: [...new Map(marks.map(mark => [mark.join(), mark])).values()] }
}
