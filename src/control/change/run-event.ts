import { exactInt64 } from '../../base/json/int64.ts'
import { suggest } from '../../base/text/did-you-mean.ts'
import { type Clock, lastClockInstant, readClock, startClock } from '../../base/time/clock.ts'
import { parseDuration } from '../../base/time/duration.ts'
import { formatInstant, parseInstant } from '../../base/time/instant.ts'
import type { RuleStatus } from '../../emulator/rules/rule-book.ts'
import type { RunEvent } from '../../emulator/worlds/run-events.ts'
import { deleteKey, startKey, type World } from '../../emulator/worlds/world.ts'
import type { EventCommand } from '../../generated/scenario-fields.ts'
import { banByHand, lift, noStrikes } from '../../service/bans/ban.ts'
import type { Door } from '../../service/call/fault.ts'
import { copyKey, type Key } from '../../service/keys/key.ts'
import { newWindow, rollWindow, type Windows, windowNames } from '../../service/limits/limiter.ts'
import type { Pet } from '../../service/pets/pet.ts'
import { about, showValue, unknownName } from '../files/show.ts'
import { checkDoor } from '../scenario/checks/doors.ts'
import { checkKeyState, checkUsed } from '../scenario/checks/events.ts'
import { checkRule } from '../scenario/checks/rules.ts'
import type { CommandOf } from '../scenario/file.ts'
import { withDefaults } from '../scenario/settings/settled.ts'
import { settleKey } from '../scenario/settle/settle.ts'
import { settleRule } from '../scenario/settle-rules.ts'
import { type Intent, notFound, type Refused, refuseCommand, refuseField } from './intent.ts'

/** Carries out an event of a scenario in its world. Returns the refusal, if the command is refused. */
export function createEventRunner(door?: Door): RunEvent {
  return (world, change, now) => {
    const intent = intentIn(world, change, now, door)
    if (typeof intent !== 'function') return intent.refusal.message
    intent()
    return undefined
  }
}

/** The intent of a command that changes one world and keeps its scenario. */
export function intentIn(world: World, command: EventCommand, now: number, door: Door | undefined): Intent {
  switch (command.do) {
    case 'freezeClock':
    case 'advanceClock':
    case 'resumeClock':
    case 'resetClock':
      return changeClock(world, command, now)
    case 'addKey':
    case 'changeKey':
    case 'deleteKey':
    case 'banKey':
    case 'unbanKey':
      return changeKeys(world, command, now)
    case 'addPet':
    case 'changePet':
    case 'deletePet':
      return changePets(world, command)
    case 'addRule':
    case 'changeRule':
    case 'deleteRule':
      return changeRules(world, command, now, door)
  }
}

function changePets(world: World, command: CommandOf<'addPet' | 'changePet' | 'deletePet'>): Intent {
  if (command.do === 'addPet') {
    const { name, categoryId } = command
    const status = command.status ?? world.scenario.behaviour.defaultStatus
    const pet = { name, categoryId: exactInt64(categoryId), status }
    return () => ({ pet: world.pets.create(pet) })
  }
  const pet = world.pets.get(exactInt64(command.id))
  if (pet === undefined) return notFound(`there is no pet with the id ${command.id}`)
  if (command.do === 'changePet') return changePet(world, pet, command)
  return () => {
    world.pets.delete(pet.id)
    return { pet }
  }
}

function changePet(world: World, pet: Pet, { name, categoryId, status }: CommandOf<'changePet'>): Intent {
  const changed: Pet = {
    ...pet,
    name: name ?? pet.name,
    categoryId: exactInt64(categoryId ?? pet.categoryId),
    status: status === undefined ? pet.status : (status ?? undefined),
  }
  return () => {
    world.pets.replace(changed)
    return { pet: changed }
  }
}

function changeRules(
  world: World,
  command: CommandOf<'addRule' | 'changeRule' | 'deleteRule'>,
  now: number,
  door: Door | undefined,
): Intent {
  if (command.do !== 'addRule') {
    const { name } = command
    const known = find(world, name)
    if (known === undefined) {
      const names = world.rules.list().map(({ rule }) => rule.name)
      const others =
        names.length === 0 ? 'there are no rules' : `known are ${names.map(showValue).join(', ')}`
      return notFound(`there is no rule ${showValue(name)}${suggest(name, names) || `; ${others}`}`)
    }
    return () => {
      if (command.do === 'changeRule') world.rules.turn(name, command.on)
      else world.rules.remove(name)
      return { rule: find(world, name) ?? known }
    }
  }
  const problems = checkRule(command.rule, [], world.keys, world.scenario.plans)
  if (problems.length > 0) return refuseField('rule', problems)
  let number = world.rules.list().length + 1
  while (find(world, `rule-${number}`) !== undefined) number += 1
  const rule = settleRule(command.rule, command.rule.name ?? `rule-${number}`)
  const hidden = door === undefined ? [] : checkDoor(rule.effect, door, ['then'])
  if (hidden.length > 0) return refuseField('rule', hidden)
  return () => {
    world.rules.add(rule, readClock(world.clock, now))
    const added = find(world, rule.name)
    return added && { rule: added }
  }
}

function find(world: World, name: string): RuleStatus | undefined {
  return world.rules.list().find(({ rule }) => rule.name === name)
}

type ClockCommand = CommandOf<'freezeClock' | 'advanceClock' | 'resumeClock' | 'resetClock'>

function changeClock(world: World, command: ClockCommand, now: number): Intent {
  const at = readClock(world.clock, now)
  const setClock = (field: string, to: number, scale: number) =>
    moveForward(world, at, field, { at: to, wall: now, scale }, now)
  switch (command.do) {
    case 'freezeClock':
      return setClock('at', parseInstant(command.at ?? '') ?? at, 0)
    case 'advanceClock': {
      const by = parseDuration(command.by ?? '')
      if (by === undefined) return setClock('to', parseInstant(command.to ?? '') ?? at, world.clock.scale)
      // Reading the clock rounds it: many small steps would slow down or speed up a scaled one.
      const { at: from, wall, scale } = world.clock
      return moveForward(world, at, 'by', { at: from + by, wall, scale }, now)
    }
    case 'resumeClock': {
      const scale = command.scale ?? 1
      return scale === world.clock.scale ? () => ({ clock: world.clock }) : setClock('scale', at, scale)
    }
    case 'resetClock':
      return () => {
        const clock = startClock(world.scenario.clock, now)
        world.clock = clock
        world.aheadMs = 0
        if (clock.at < at) {
          forgetFuture(world, clock.at)
          world.rules.moveBack(at - clock.at, clock.at)
          world.events.moveBack(at - clock.at, clock.at)
        }
        return { clock }
      }
  }
}

/** `from`: what the clock shows. `now`: the door's time. */
function moveForward(world: World, from: number, field: string, clock: Clock, now: number): Intent {
  const to = clock.at + (now - clock.wall) * clock.scale
  // The clock is read in whole milliseconds.
  if (Math.round(to) < from) {
    const instant = formatInstant(from)
    return refuseCommand(`${field}: the clock is at ${instant}; only a reset or a snapshot moves it back`)
  }
  if (to > lastClockInstant) return refuseCommand(`${field}: the clock cannot move beyond the year 9899`)
  return () => {
    world.clock = clock
    return { clock }
  }
}

/** Closes windows that open after `at`. Bans and strikes end too, because their start is not recorded. */
function forgetFuture(world: World, at: number): void {
  for (const { windows, strikes } of world.keys.values()) {
    closeLater(windows, at)
    Object.assign(strikes, noStrikes())
  }
  for (const windows of world.anonymous.values()) closeLater(windows, at)
}

function closeLater(windows: Windows, at: number): void {
  for (const name of windowNames) {
    const { opensAt } = windows[name]
    if (opensAt !== undefined && opensAt > at) Object.assign(windows[name], newWindow(0))
  }
}

type KeyCommand = CommandOf<'addKey' | 'changeKey' | 'deleteKey' | 'banKey' | 'unbanKey'>

function changeKeys(world: World, command: KeyCommand, now: number): Intent {
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
  const { windows } = copyKey(key)
  for (const name of windowNames) {
    // The count is for the window that is open now.
    rollWindow(windows[name], name, at)
    windows[name].used = used?.[name] ?? windows[name].used
  }
  const { minute, day } = windows
  // Calls of this minute are calls of this day too.
  if (typeof used?.day !== 'number') day.used = Math.max(day.used, minute.used)
  const problems = checkUsed({ used: { minute: minute.used, day: day.used } })
  if (problems.length > 0) return refuseCommand(...problems.map(({ path, message }) => about(path, message)))
  return changing(key, () => {
    // A change of plan keeps windows, counts and bans (A05).
    key.plan = plan
    key.quota = withDefaults(base, limits ?? {})
    key.revoked = revoked ?? key.revoked
    if (expires !== undefined) key.expiresAt = parseInstant(expires ?? '')
    if (used) Object.assign(key.windows, { minute, day })
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
