import { useState } from 'preact/hooks'
import type { ChangingProps } from '../../app/app.ts'
import { Badge, Button, Meter } from '../../design/basics.tsx'
import { lengthOfTime } from '../../design/format.ts'
import type { Answer } from '../../plane/plane.ts'
import { bannedForMs, type KeyState, type Windows, windowAt } from '../../state/keys.ts'
import { act } from '../../state/live.ts'

interface KeyCardProps extends ChangingProps {
  readonly shown: KeyState
  readonly plans: Answer<'listPlans'>['plans']
  /** The emulator's time, in milliseconds since the epoch. */
  readonly at: number
}

export function KeyCard({ app, shown, plans, at, onChanged }: KeyCardProps) {
  const { key, name, revoked, expires } = shown
  const [isWhole, setWhole] = useState(false)
  const sandbox = app.sandbox.value
  const called = sandbox === 'default' ? name : `${name}+${sandbox}`
  const bannedFor = bannedForMs(shown, at)
  return (
    <section class="key-card card" aria-label={`Key ${name}`}>
      <header class="row">
        <h2 class="mono wraps">{isWhole ? key : name}</h2>
        {name !== key && (
          <Button
            class="quiet"
            aria-label={`${isWhole ? 'Hide' : 'Show'} ${name}`}
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? 'Hide' : 'Show'}
          </Button>
        )}
        <span class="muted">{shown.plan}</span>
        {bannedFor > 0 && <Badge tone="bad">banned for {lengthOfTime(bannedFor)}</Badge>}
        {revoked && <Badge tone="bad">revoked</Badge>}
        {expires !== null && Date.parse(expires) <= at && <Badge tone="bad">expired</Badge>}
        <span class="filler" />
        <a class="button" href={app.places.linkTo('requests', [], { key: called })}>
          Requests
        </a>
      </header>
      <div class="windows">
        <WindowBar shown={shown} name="minute" at={at} />
        <WindowBar shown={shown} name="day" at={at} />
      </div>
      <Strikes count={shown.strikes} banAfter={shown.banAfter} />
      <KeyActions app={app} shown={shown} plans={plans} at={at} onChanged={onChanged} />
    </section>
  )
}
function KeyActions({ app, shown, plans, at, onChanged }: KeyCardProps) {
  const { plane, sandbox } = app
  const { key, limits, used } = shown
  const about = { params: { key }, query: { sandbox: sandbox.value } }
  const change = (work: () => Promise<unknown>) => async () => {
    await act(app, work)
    onChanged()
  }
  const use = (minute: number, day: number) =>
    change(() => plane.call('changeKey', { ...about, body: { used: { minute, day } } }))
  /** The calls of the minute are also calls of the day. */
  const useMinute = (minute: number) => use(minute, Math.max(minute, used.day - used.minute + minute))
  const actions = [
    { text: "Use up this minute's quota", run: useMinute(limits.minute) },
    { text: 'Leave one call', run: useMinute(limits.minute - 1) },
    { text: "Use up today's quota", run: use(used.minute, limits.day) },
    { text: 'Refill', run: use(0, 0) },
    bannedForMs(shown, at) > 0
      ? { text: 'Lift the ban', run: change(() => plane.call('unbanKey', about)) }
      : { text: 'Ban', run: change(() => plane.call('banKey', { ...about, body: {} })) },
    {
      text: shown.revoked ? 'Restore' : 'Revoke',
      run: change(() => plane.call('changeKey', { ...about, body: { revoked: !shown.revoked } })),
    },
  ]
  const choosePlan = (plan: string) => change(() => plane.call('changeKey', { ...about, body: { plan } }))()
  return (
    <div class="key-actions row">
      {actions.map(({ text, run }) => (
        <Button key={text} onClick={run}>
          {text}
        </Button>
      ))}
      <label>
        <span>Plan</span>
        <select value={shown.plan} onChange={event => choosePlan(event.currentTarget.value)}>
          {plans.map(({ name, limits: quota }) => (
            <option key={name} value={name}>
              {name} ({quota.minute.toLocaleString('en')} a minute)
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

/** Refused calls on the way to a ban. */
export function Strikes({ count, banAfter }: { readonly count: number; readonly banAfter: number | null }) {
  if (banAfter === null) return <p class="muted">Bans are off.</p>
  return (
    <p class="strikes row">
      <span class="muted">
        {count === 0 ? 'No strikes' : `${count} of ${banAfter} strikes`}; {banAfter} in a row ban the key.
      </span>
      {count > 0 && <progress value={Math.min(count, banAfter)} max={banAfter} aria-label="Strikes" />}
    </p>
  )
}

/** What is left of a window. It is full again when the window is over on the emulator's clock. */
export function WindowBar({ shown, name, at }: { shown: Windows; name: 'minute' | 'day'; at: number }) {
  const { left, limit, endsIn } = windowAt(shown, name, at)
  return (
    <div class="window-bar">
      <span>
        <strong>{left.toLocaleString('en')}</strong> of {limit.toLocaleString('en')} left this {name}
      </span>
      <Meter label={`Left this ${name}`} value={left} max={limit} />
      <span class="muted">
        {endsIn === undefined ? 'opens with the next call' : `resets in ${lengthOfTime(endsIn)}`}
      </span>
    </div>
  )
}
