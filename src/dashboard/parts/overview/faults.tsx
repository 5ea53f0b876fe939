import { formatTimes } from '../../../base/text/quantities.ts'
import type { PlaneKey } from '../../../generated/plane-operations.ts'
import type { ChangingProps } from '../../app/app.ts'
import { Button, Icon, type IconName } from '../../design/basics.tsx'
import { lengthOfTime } from '../../design/format.ts'
import type { Answer, Body } from '../../plane/plane.ts'
import { bannedForMs, type KeyState } from '../../state/keys.ts'
import { acting } from '../../state/live.ts'

/** Faults by one click. Another click takes one back: the value that it changed, and nothing else. */
export function Faults(
  props: ChangingProps & { state: KeyState; rules: Answer<'listRules'>['rules']; at: number },
) {
  const { app, state, rules, at, onChanged } = props
  const { plane, changed, sandbox } = app
  const { key, limits, remaining } = state
  const query = { sandbox: sandbox.value }
  const about = { params: { key }, query }
  const act = acting(app, onChanged)
  const read = async () =>
    (await plane.call('listKeys', { query })).keys.find(one => one.key === key) ?? state
  const placeOf = (what: string) => `${sandbox.value} ${key} ${what}`
  const change = (what: string, work: (before: PlaneKey) => Promise<PlaneKey>) => async () => {
    const before = await read()
    const after = await work(before)
    changed.value = { ...changed.value, [placeOf(what)]: [before, after] }
  }
  const use = (minute: number, day: number) =>
    plane.call('changeKey', { ...about, body: { used: { minute, day } } })

  const ruleFault = (text: string, icon: IconName, hint: string, then: Body<'addRule'>['then']) => {
    const name = text.toLowerCase()
    const rule = rules.find(one => one.name === name)
    const acted = rule?.acted === 0 ? 'It waits for a call.' : `It acted ${formatTimes(rule?.acted ?? 0)}.`
    const make = () => plane.call('addRule', { query, body: { name, then, times: 1 } })
    const undo = () => plane.call('deleteRule', { params: { name }, query })
    return faultButton(text, icon, rule === undefined ? hint : acted, rule !== undefined, make, undo)
  }

  const spendMinute = () => {
    const made = changed.value[placeOf('minute')]
    const isOn = made !== undefined && isSameMinute(made[1], state)
    const make = change('minute', ({ used }) => use(limits.minute, used.day - used.minute + limits.minute))
    const undo = async () => {
      const now = await read()
      if (made === undefined || !isSameMinute(made[1], now)) return
      const [{ used: before }, { used: after }] = made
      // Calls that were counted since stay counted.
      const since = now.used.minute - after.minute
      await use(before.minute + since, before.day + Math.max(0, now.used.day - after.day))
    }
    const hint = isOn ? 'The next call gets 429.' : `${remaining.minute} of ${limits.minute} are left.`
    return faultButton('Use up the minute', 'clock', hint, isOn, make, undo)
  }

  const ban = () => {
    const made = changed.value[placeOf('ban')]
    const bannedFor = bannedForMs(state, at)
    const isOn = bannedFor > 0 && made?.[1].bannedUntil === state.bannedUntil
    const make = change('ban', () => plane.call('banKey', { ...about, body: {} }))
    const undo = async () => {
      const { bannedUntil } = await read()
      if (made === undefined || made[1].bannedUntil !== bannedUntil) return
      const { at: now } = await plane.call('getClock', { query })
      // A ban starts on a whole second.
      const restMs = Date.parse(made[0].bannedUntil ?? now) - Math.floor(Date.parse(now) / 1_000) * 1_000
      if (made[0].bannedUntil === null || restMs <= 0) await plane.call('unbanKey', about)
      else await plane.call('banKey', { ...about, body: { for: `${restMs}ms` } })
    }
    const hint = bannedFor > 0 ? `It is banned for ${lengthOfTime(bannedFor)}.` : 'As many refusals would.'
    return faultButton('Ban this key', 'key', hint, isOn, make, undo)
  }

  const faultButton = (
    text: string,
    icon: IconName,
    hint: string,
    isOn: boolean,
    ...[make, undo]: readonly [() => Promise<unknown>, () => Promise<unknown>]
  ) => (
    <li>
      <Button aria-pressed={isOn} onClick={act(isOn ? undo : make)}>
        <Icon name={icon} />
        <span>
          <strong>{text}</strong> <span>{hint}</span>
        </span>
        {isOn && <span class="undo">Undo</span>}
      </Button>
    </li>
  )
  return (
    <section class="card faults" aria-label="One-click faults">
      <h2>One-click faults</h2>
      <ul>
        {ruleFault('Fail the next call with 503', 'rule', 'The call is not carried out.', { status: 503 })}
        {ruleFault('Lose the next response', 'close', 'The call is carried out.', {
          fault: 'reset',
          direction: 'response',
        })}
        {spendMinute()}
        {ban()}
      </ul>
    </section>
  )
}

/** Whether a key still has the spent window. A window opens with the first call. */
function isSameMinute(spent: PlaneKey, now: PlaneKey): boolean {
  const isSameEnd = spent.resets.minute === null || spent.resets.minute === now.resets.minute
  return isSameEnd && now.used.minute >= spent.used.minute
}
