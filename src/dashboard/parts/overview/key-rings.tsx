import type { AppProps } from '../../app/app.ts'
import { Badge } from '../../design/badge.tsx'
import { Ring } from '../../design/meter.tsx'
import { lengthOfTime } from '../../design/time-text.ts'
import type { KeyState } from '../../state/keys.ts'
import { bannedForMs, windowAt } from '../keys/window-at.ts'
import { Card } from './card.tsx'

interface KeyRingsProps extends AppProps {
  readonly state: KeyState
  /** The emulator's time, in milliseconds since the epoch. */
  readonly at: number
}

/** What the key of the scenario has left, and how near it is to a ban. */
export function KeyRings({ app, state, at }: KeyRingsProps) {
  const { name, plan, strikes, banAfter } = state
  const bannedFor = bannedForMs(state, at)
  return (
    <Card
      class="key-rings"
      name={`Quotas of ${name}`}
      href={app.places.linkTo('keys')}
      title={
        <>
          <span class="mono wraps">{name}</span> <span class="muted">{plan}</span>
        </>
      }
    >
      {bannedFor > 0 ? (
        <Badge tone="bad">banned for {lengthOfTime(bannedFor)}</Badge>
      ) : (
        <span class="muted">
          {banAfter === null ? 'Bans are off.' : `${strikes} of ${banAfter} refusals to a ban`}
        </span>
      )}
      <div class="rings">
        {(['minute', 'day'] as const).map(window => {
          const { left, limit, endsIn } = windowAt(state, window, at)
          return (
            <div key={window}>
              <Ring label={`${left} of ${limit} left this ${window}`} value={left} max={limit} />
              <p>left this {window}</p>
              <p class="muted">
                {endsIn === undefined ? 'opens with the next call' : `resets in ${lengthOfTime(endsIn)}`}
              </p>
            </div>
          )
        })}
      </div>
    </Card>
  )
}
