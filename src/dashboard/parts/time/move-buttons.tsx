import type { App } from '../../app/app.ts'
import { dayOf, lengthOfTime } from '../../design/time-text.ts'
import type { Answer } from '../../plane/plane.ts'
import { act } from '../../state/act.ts'

export interface MoveButtonsProps {
  readonly app: App
  readonly at: number
  readonly moments: Answer<'getMoments'>
  readonly onMoved: () => void
}

const steps = [
  { text: '+1 s', by: '1s' },
  { text: '+1 min', by: '1m' },
  { text: '+1 h', by: '1h' },
  { text: '+1 day', by: '24h' },
] as const

/** Everything that moves the clock forward, and the way back. */
export function MoveButtons({ app, at, moments, onMoved }: MoveButtonsProps) {
  const query = { sandbox: app.sandbox.value }
  const advance = (body: { readonly by?: string; readonly to?: string }) => async () => {
    if (await act(app, () => app.plane.call('advanceClock', { query, body }))) onMoved()
  }
  const reset = async () => {
    if (await act(app, () => app.plane.call('resetClock', { query }))) onMoved()
  }
  const { reset: nextReset, midnight, removal } = moments
  const ways = [
    { text: 'To the next reset', to: nextReset, none: 'no window is open' },
    { text: 'To midnight', to: midnight, none: '' },
    { text: 'To the removal', to: removal, none: 'nothing is left to remove' },
  ]
  return (
    <section class="card" aria-labelledby="move-title">
      <h2 id="move-title">Move</h2>
      <div class="steps">
        {steps.map(({ text, by }) => (
          <button key={by} type="button" onClick={advance({ by })}>
            {text}
          </button>
        ))}
      </div>
      <ul class="moments">
        {ways.map(({ text, to, none }) => (
          <li key={text}>
            <button type="button" disabled={to === null} onClick={to === null ? undefined : advance({ to })}>
              {text}
            </button>
            <span class="muted">{to === null ? none : aheadOf(Date.parse(to), at)}</span>
          </li>
        ))}
      </ul>
      <button type="button" onClick={reset}>
        Back to now
      </button>
      <p class="muted">
        Back to the time at which the situation starts: real time, unless its clock says otherwise. Going back
        ends windows, strikes and bans.
      </p>
    </section>
  )
}

function aheadOf(to: number, at: number): string {
  const ahead = to - at
  return `in ${lengthOfTime(ahead)}${ahead > 172_800_000 ? `, on ${dayOf(to)}` : ''}`
}
