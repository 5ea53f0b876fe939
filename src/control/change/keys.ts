import { readClock } from '../../base/time/clock.ts'
import { parseDuration } from '../../base/time/duration.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { deleteKey, startKey, type World } from '../../emulator/worlds/world.ts'
import { banByHand, lift } from '../../service/bans/ban.ts'
import { copyKey, type Key } from '../../service/keys/key.ts'
import { rollWindow, windowNames } from '../../service/limits/limiter.ts'
import { about, showValue, unknownName } from '../files/show.ts'
import { checkKeyState } from '../scenario/checks/events.ts'
import type { CommandOf } from '../scenario/file.ts'
import { withDefaults } from '../scenario/settings/defaults.ts'
import { settleKey } from '../scenario/settle/settle.ts'
import { type Intent, notFound, type Refused, refuseCommand } from './intent.ts'

type KeyCommand = CommandOf<'addKey' | 'changeKey' | 'deleteKey' | 'banKey' | 'unbanKey'>

export function changeKeys(world: World, command: KeyCommand, now: number): Intent {
  const at = readClock(world.clock, now)
  if (command.do === 'addKey') return addKey(world, command, at)
  const key = world.keys.get(command.key)
  if (key === undefined) return notFound(unknownName('key', command.key, [...world.keys.keys()]))
  switch (command.do) {
    case 'changeKey':
      return changeKey(world, key, command, at)
    case 'deleteKey':
      return changing(key, () => deleteKey(world, key.text))
    case 'banKey':
      return banKey(world, key, command, at)
    case 'unbanKey':
      return changing(key, () => lift(key.strikes))
  }
}

function changing(key: Key, change: () => void): Intent {
  return () => {
    change()
    return { key: copyKey(key) }
  }
}

function addKey(world: World, command: CommandOf<'addKey'>, at: number): Intent {
  const { key: text, plan, banned } = command
  const { plans, behaviour } = world.scenario
  if (!plans.has(plan)) return unknownPlan(world, plan)
  if (world.keys.has(text)) return refuseCommand(`key: the key ${showValue(text)} already exists`)
  if (banned && behaviour.bans === undefined) return refuseCommand(bansAreOff)
  const problems = checkKeyState(command, behaviour.bans?.after)
  if (problems.length > 0) return refuseCommand(...problems.map(({ path, message }) => about(path, message)))
  const key = startKey(text, settleKey(command, plans), at)
  return changing(key, () => world.keys.set(text, key))
}

function changeKey(
  world: World,
  key: Key,
  { plan: newPlan, limits, used, revoked, expires }: CommandOf<'changeKey'>,
  at: number,
): Intent {
  const plan = newPlan ?? key.plan
  const isAsPlan = limits === null || plan !== key.plan
  const base = isAsPlan ? world.scenario.plans.get(plan) : key.quota
  if (base === undefined) return unknownPlan(world, plan)
  return changing(key, () => {
    // A change of plan keeps windows, counts and bans (A05).
    key.plan = plan
    key.quota = withDefaults(base, limits ?? {})
    key.revoked = revoked ?? key.revoked
    if (expires !== undefined) key.expiresAt = parseInstant(expires ?? '')
    for (const name of windowNames) {
      const count = used?.[name]
      if (typeof count !== 'number') continue
      // The count is for the window that is open now.
      rollWindow(key.windows[name], name, at)
      key.windows[name].used = count
    }
  })
}

const bansAreOff = 'bans: this scenario has bans off, so no key can be banned'

function banKey({ scenario }: World, key: Key, command: CommandOf<'banKey'>, at: number): Intent {
  const { bans } = scenario.behaviour
  if (bans === undefined) return refuseCommand(bansAreOff)
  const length = parseDuration(command.for ?? '') ?? bans.forMs
  return changing(key, () => banByHand(key.strikes, at, length))
}

function unknownPlan({ scenario: { plans } }: World, plan: string): Refused {
  return refuseCommand(`plan: ${unknownName('plan', plan, [...plans.keys()])}`)
}
