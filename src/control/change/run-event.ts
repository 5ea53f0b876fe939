import type { RunEvent } from '../../emulator/worlds/run-events.ts'
import type { World } from '../../emulator/worlds/world.ts'
import type { EventCommand } from '../../generated/scenario-fields.ts'
import type { Door } from '../../service/call/fault.ts'
import { changeClock } from './clock.ts'
import type { Intent } from './intent.ts'
import { changeKeys } from './keys.ts'
import { changePets } from './pets.ts'
import { changeRules } from './rules.ts'

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
