import type { PlaneKey } from '../../../generated/plane-operations.ts'
import type { App } from '../../app/app.ts'
import { Badge } from '../../design/badge.tsx'
import { lengthOfTime } from '../../design/time-text.ts'
import type { Answer } from '../../plane/plane.ts'
import { KeyActions } from './key-actions.tsx'
import { Strikes } from './strikes.tsx'
import { WindowBar } from './window-bar.tsx'

export interface KeyCardProps {
  readonly app: App
  /** `masked`: as the requests name the key. */
  readonly shown: PlaneKey & { readonly masked: string }
  readonly plans: Answer<'listPlans'>['plans']
  /** The emulator's time, in milliseconds since the epoch. */
  readonly at: number
  readonly onChanged: () => void
}

/** One key: its plan, both windows, strikes and ban. */
export function KeyCard({ app, shown, plans, at, onChanged }: KeyCardProps) {
  const { key, bannedUntil, revoked, expires } = shown
  const bannedFor = bannedUntil === null ? 0 : Date.parse(bannedUntil) - at
  return (
    <section class="key-card card" aria-label={`Key ${key}`}>
      <header>
        <h2 class="mono">{key}</h2>
        <span class="muted">{shown.plan}</span>
        {bannedFor > 0 && <Badge tone="bad">banned for {lengthOfTime(bannedFor)}</Badge>}
        {revoked && <Badge tone="bad">revoked</Badge>}
        {expires !== null && Date.parse(expires) <= at && <Badge tone="bad">expired</Badge>}
        <span class="filler" />
        <a class="button" href={app.places.linkTo('requests', [], { key: shown.masked })}>
          Requests
        </a>
      </header>
      <div class="windows">
        <WindowBar shown={shown} name="minute" at={at} />
        <WindowBar shown={shown} name="day" at={at} />
      </div>
      <Strikes count={shown.strikes} banAfter={shown.banAfter} />
      <KeyActions app={app} shown={shown} plans={plans} isBanned={bannedFor > 0} onChanged={onChanged} />
    </section>
  )
}
