import { formatTimes } from '../../../base/text/quantities.ts'
import type { PlaneKey } from '../../../generated/plane-operations.ts'
import type { App, ChangingProps } from '../../app/app.ts'
import { Button } from '../../design/button.tsx'
import { Icon, type IconName } from '../../design/icon.tsx'
import { lengthOfTime } from '../../design/time-text.ts'
import type { Answer, Body } from '../../plane/plane.ts'
import { acting } from '../../state/act.ts'
import type { KeyState } from '../../state/keys.ts'
import { bannedForMs } from '../keys/window-at.ts'

type Rules = Answer<'listRules'>['rules']

interface FaultsProps extends ChangingProps {
  readonly state: KeyState
  readonly rules: Rules
  readonly at: number
}

/** A click makes the fault, and another one takes it back. */
interface Fault {
  readonly text: string
  readonly icon: IconName
  /** What it does, or what has come of it. */
  readonly about: string
  readonly isOn: boolean
  readonly make: () => Promise<unknown>
  readonly undo: () => Promise<unknown>
}

export function Faults({ app, state, rules, at, onChanged }: FaultsProps) {
  const act = acting(app, onChanged)
  const faults = [
    ruleFault(app, rules, 'Fail the next call with 503', { status: 503 }),
    ruleFault(app, rules, 'Lose the next reply', { fault: 'reset', direction: 'response' }),
    spentMinute(app, state),
    ban(app, state, at),
  ]
  return (
    <section class="card faults" aria-label="One-click faults">
      <h2>One-click faults</h2>
      <ul>
        {faults.map(({ text, icon, about, isOn, make, undo }) => (
          <li key={text}>
            <Button aria-pressed={isOn} onClick={act(isOn ? undo : make)}>
              <Icon name={icon} />
              <span>
                <strong>{text}</strong> <span>{about}</span>
              </span>
              {isOn && <span class="undo">Undo</span>}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const rulesMade: Readonly<Record<string, string>> = {
  status: 'The service is not called.',
  fault: 'The call is carried out.',
}

/** A rule that acts once. To take it back is to delete it. */
function ruleFault(
  { plane, sandbox }: App,
  rules: Rules,
  text: string,
  then: Body<'addRule'>['then'],
): Fault {
  const query = { sandbox: sandbox.value }
  const name = text.toLowerCase()
  const rule = rules.find(one => one.name === name)
  return {
    text,
    icon: then.fault === undefined ? 'rule' : 'close',
    about:
      rule === undefined
        ? (rulesMade[Object.keys(then)[0] ?? ''] ?? '')
        : rule.acted === 0
          ? 'It waits for a call.'
          : `It acted ${formatTimes(rule.acted)}.`,
    isOn: rule !== undefined,
    make: () => plane.call('addRule', { query, body: { name, then, times: 1 } }),
    undo: () => plane.call('deleteRule', { params: { name }, query }),
  }
}

/** What a click changed of a key. It lasts until somebody takes it back, or until something else has changed it. */
function changeOf({ changed, plane, sandbox }: App, { key }: KeyState, what: string) {
  const place = `${sandbox.value} ${key} ${what}`
  const query = { sandbox: sandbox.value }
  return {
    about: { params: { key }, query },
    made: changed.value[place],
    read: async () => {
      const { keys } = await plane.call('listKeys', { query })
      const found = keys.find(one => one.key === key)
      if (found === undefined) throw new Error(`There is no key ${key}.`)
      return found
    },
    keep: (before: PlaneKey, after: PlaneKey) => {
      changed.value = { ...changed.value, [place]: [before, after] }
    },
  }
}

function spentMinute(app: App, state: KeyState): Fault {
  const { about, made, read, keep } = changeOf(app, state, 'minute')
  const isOn = made !== undefined && isSameMinute(made[1], state)
  const change = (used: PlaneKey['used']) => app.plane.call('changeKey', { ...about, body: { used } })
  return {
    text: 'Use up the minute',
    icon: 'clock',
    about: isOn ? 'The next call gets 429.' : `${state.remaining.minute} of ${state.limits.minute} are left.`,
    isOn,
    make: async () => {
      const before = await read()
      const { used, limits } = before
      // The calls of the minute are also calls of the day.
      keep(before, await change({ minute: limits.minute, day: used.day - used.minute + limits.minute }))
    },
    undo: async () => {
      const now = await read()
      if (made === undefined || !isSameMinute(made[1], now)) return
      const [{ used: before }, { used: after }] = made
      // Calls that were counted since stay counted.
      const since = { minute: now.used.minute - after.minute, day: Math.max(0, now.used.day - after.day) }
      await change({ minute: before.minute + since.minute, day: before.day + since.day })
    },
  }
}

/** Whether a key still has the spent window. A window opens with the first call. */
function isSameMinute(spent: PlaneKey, now: PlaneKey): boolean {
  const isSameEnd = spent.resets.minute === null || spent.resets.minute === now.resets.minute
  return isSameEnd && now.used.minute >= spent.used.minute
}

function ban(app: App, state: KeyState, at: number): Fault {
  const { about, made, read, keep } = changeOf(app, state, 'ban')
  const bannedFor = bannedForMs(state, at)
  const isOn = made !== undefined && bannedFor > 0 && made[1].bannedUntil === state.bannedUntil
  return {
    text: 'Ban this key',
    icon: 'key',
    about:
      bannedFor > 0 ? `It is banned for ${lengthOfTime(bannedFor)}.` : 'As after too many refused calls.',
    isOn,
    make: async () => {
      const before = await read()
      keep(before, await app.plane.call('banKey', { ...about, body: {} }))
    },
    undo: async () => {
      const { bannedUntil } = await read()
      if (made === undefined || made[1].bannedUntil !== bannedUntil) return
      const { at: now } = await app.plane.call('getClock', { query: about.query })
      // A ban starts on a whole second.
      const restMs = Date.parse(made[0].bannedUntil ?? now) - Math.floor(Date.parse(now) / 1_000) * 1_000
      if (made[0].bannedUntil === null || restMs <= 0) await app.plane.call('unbanKey', about)
      else await app.plane.call('banKey', { ...about, body: { for: `${restMs}ms` } })
    },
  }
}
