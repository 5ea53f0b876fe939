import type { AppProps } from '../../app/app.ts'
import { Badge } from '../../design/badge.tsx'
import { Ring } from '../../design/meter.tsx'
import { lengthOfTime } from '../../design/time-text.ts'
import type { KeyState } from '../../state/keys.ts'
import { bannedForMs, windowAt } from '../keys/window-at.ts'
import { Card } from './card.tsx'

/** What the key of the scenario has left, and how near it is to a ban. `at`: the emulator's time. */
export function KeyRings({ app, state, at }: AppProps & { state: KeyState; at: number }) {
  const { name, plan, strikes, banAfter } = state
  const bannedFor = bannedForMs(state, at)
  const bans = banAfter === null ? 'bans are off' : `${strikes} of ${banAfter} refusals to a ban`
  return (
    <Card class="key-rings" name={`Quotas of ${name}`} href={app.places.linkTo('keys')}>
      <p class="muted">
        {plan}, {bannedFor > 0 ? <Badge tone="bad">banned for {lengthOfTime(bannedFor)}</Badge> : bans}
      </p>
      <div class="rings">
        {(['minute', 'day'] as const).map(window => {
          const { left, limit, endsIn } = windowAt(state, window, at)
          const end = endsIn === undefined ? 'opens with the next call' : `resets in ${lengthOfTime(endsIn)}`
          return (
            <div key={window}>
              <Ring label={`${left} of ${limit} left this ${window}`} value={left} max={limit} />
              <p>left this {window}</p>
              <p class="muted">{end}</p>
            </div>
          )
        })}
      </div>
    </Card>
  )
}
