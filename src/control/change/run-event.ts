import { exactInt64 } from '../../base/json/int64.ts'
import { suggest } from '../../base/text/did-you-mean.ts'
import { readClock } from '../../base/time/clock.ts'
import type { RuleStatus } from '../../emulator/rules/rule-book.ts'
import type { RunEvent } from '../../emulator/worlds/run-events.ts'
import type { World } from '../../emulator/worlds/world.ts'
import type { EventCommand } from '../../generated/scenario-fields.ts'
import type { Door } from '../../service/call/fault.ts'
import type { Pet } from '../../service/pets/pet.ts'
import { showValue } from '../files/show.ts'
import { checkDoor } from '../scenario/checks/doors.ts'
import { checkRule } from '../scenario/checks/rules.ts'
import type { CommandOf } from '../scenario/file.ts'
import { settleRule } from '../scenario/settle-rules.ts'
import { changeClock } from './clock.ts'
import { type Intent, notFound, refuseField } from './intent.ts'
import { changeKeys } from './keys.ts'

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
  if (command.do === 'addPet') return addPet(world, command)
  const pet = world.pets.get(exactInt64(command.id))
  if (pet === undefined) return notFound(`there is no pet with the id ${command.id}`)
  if (command.do === 'changePet') return changePet(world, pet, command)
  return () => {
    world.pets.delete(pet.id)
    return { pet }
  }
}

function addPet(world: World, { name, categoryId, status }: CommandOf<'addPet'>): Intent {
  const { defaultStatus } = world.scenario.behaviour
  const pet = { name, categoryId: exactInt64(categoryId), status: status ?? defaultStatus }
  return () => ({ pet: world.pets.create(pet) })
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
