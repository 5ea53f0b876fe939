import type { PlaneKey } from '../../../generated/plane-operations.ts'
import type { App } from '../../app/app.ts'
import type { Answer } from '../../plane/plane.ts'
import { act } from '../../state/act.ts'

export interface KeyActionsProps {
  readonly app: App
  readonly shown: PlaneKey
  readonly plans: Answer<'listPlans'>['plans']
  readonly isBanned: boolean
  readonly onChanged: () => void
}

/** Spend, refill, ban, lift the ban, change the plan. */
export function KeyActions({ app, shown, plans, isBanned, onChanged }: KeyActionsProps) {
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
    { text: 'Spend the minute', run: useMinute(limits.minute) },
    { text: 'Leave one call', run: useMinute(limits.minute - 1) },
    { text: 'Spend the day', run: use(used.minute, limits.day) },
    { text: 'Refill', run: use(0, 0) },
    isBanned
      ? { text: 'Lift the ban', run: change(() => plane.call('unbanKey', about)) }
      : { text: 'Ban', run: change(() => plane.call('banKey', { ...about, body: {} })) },
    {
      text: shown.revoked ? 'Restore' : 'Revoke',
      run: change(() => plane.call('changeKey', { ...about, body: { revoked: !shown.revoked } })),
    },
  ]
  const choosePlan = (plan: string) => change(() => plane.call('changeKey', { ...about, body: { plan } }))()
  return (
    <div class="key-actions">
      {actions.map(({ text, run }) => (
        <button key={text} type="button" onClick={run}>
          {text}
        </button>
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
