import { Badge } from '../../design/badge.tsx'
import { dayOf, lengthOfTime, timeOfDay } from '../../design/time-text.ts'
import type { Answer } from '../../plane/plane.ts'
import { Strikes, WindowBar } from '../keys/key-card.tsx'

export type Look = Answer<'getBoxCall'>

/** The sandbox of the call, before it: what changed since the call before, clock, quotas, bans, rules and pets. */
export function WorldBefore({ look }: { readonly look: Pick<Look, 'world' | 'changes'> }) {
  const { changes, world } = look
  const { sandbox, clock, keys, rules, pets, petChanges } = world
  const at = Date.parse(clock.at)
  return (
    <section class="world-before card" aria-labelledby="world-title">
      <h2 id="world-title">The world at this point</h2>
      <p>
        Sandbox {sandbox}, {dayOf(at)} {timeOfDay(at)}
        {clock.frozen && ', and the clock stands still'}
      </p>
      {changes.map(change => (
        <p key={change} class="mono">
          {change}
        </p>
      ))}
      <h3>Quotas</h3>
      {keys.length === 0 && <p class="muted">No key was used yet.</p>}
      {keys.map(key => (
        <div key={key.key}>
          <p>
            <span class="mono">{key.key}</span> <span class="muted">{key.plan}</span>{' '}
            {key.bannedUntil !== null && (
              <Badge tone="bad">banned for {lengthOfTime(Date.parse(key.bannedUntil) - at)}</Badge>
            )}
          </p>
          <WindowBar shown={key} name="minute" at={at} />
          <WindowBar shown={key} name="day" at={at} />
          {key.strikes > 0 && <Strikes count={key.strikes} banAfter={key.banAfter} />}
        </div>
      ))}
      {rules.length > 0 && <h3>Rules</h3>}
      {rules.map(({ name, acted, on }) => (
        <p key={name}>
          <span class="mono">{name}</span> acted{' '}
          {acted === 1 ? 'once' : `${acted.toLocaleString('en')} times`}
          {!on && ', off'}
        </p>
      ))}
      <h3>Pets</h3>
      <p>
        {pets.toLocaleString('en')} pets{petChanges.length === 0 && ', as in the scenario'}
      </p>
      {petChanges.map(change => (
        <p key={change}>{change}</p>
      ))}
    </section>
  )
}
