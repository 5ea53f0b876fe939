import type { Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { showValue } from '../files/show.ts'
import { isOfAllSandboxes } from '../snapshot/saved.ts'
import { changeClock } from './clock.ts'
import type { Command } from './command.ts'
import { type Changed, type Intent, notFound, type Refusal } from './intent.ts'
import { changeKeys } from './keys.ts'
import { changePets } from './pets.ts'
import { changeRules, type SettleRule } from './rules.ts'
import { changeWorld, restoreAll, type SettleScenario } from './worlds.ts'

/** What commands change, and how they read scenarios and rules. */
export interface ChangeContext {
  readonly sandboxes: Sandboxes
  readonly settle: SettleScenario
  readonly settleRule: SettleRule
}

export type Outcome =
  | { readonly ok: true; readonly changed: Changed }
  | { readonly ok: false; readonly refusal: Refusal }

/**
 * Runs a command in one sandbox, in all of them (`*`), or by default in the default one. A refused command changes no
 * sandbox. `now` is the time of the door in milliseconds since the epoch.
 */
export function change(
  context: ChangeContext,
  sandbox: string | undefined,
  command: Command,
  now: number,
): Outcome {
  const { sandboxes } = context
  if (sandbox === '*' && command.do === 'restoreSnapshot' && isOfAllSandboxes(command.snapshot))
    return apply([restoreAll(sandboxes, command.snapshot)], () => sandboxes.names())
  const named = command.do === 'createSandbox' ? command.name : sandbox
  const names = named === '*' ? sandboxes.names() : [named ?? sandboxes.default.sandbox]
  const worlds = names.flatMap(name => sandboxes.open(name, now) ?? [])
  if (worlds.length < names.length) {
    const expected = 'a name is at most 64 letters, digits and . _ -'
    return { ok: false, ...notFound(`there can be no sandbox ${showValue(named)}: ${expected}`) }
  }
  const intend = intentOf(context, command, named === undefined || named === '*', now)
  const intents = worlds.map(world => keeping(world, sandboxes, intend(world)))
  return apply(intents, () => names)
}

/** Applies every intent, or none if one is refused. */
function apply(intents: readonly Intent[], names: () => readonly string[]): Outcome {
  const refused = intents.find(intent => typeof intent !== 'function')
  if (refused !== undefined) return { ok: false, refusal: refused.refusal }
  let changed = {}
  for (const intent of intents) if (typeof intent === 'function') changed = { ...changed, ...intent() }
  return { ok: true, changed: { ...changed, sandboxes: names() } }
}

/** A new sandbox exists from its first command on. */
function keeping(world: World, sandboxes: Sandboxes, intent: Intent): Intent {
  if (typeof intent !== 'function') return intent
  return () => {
    sandboxes.keep(world)
    return intent()
  }
}

/** `isForAll`: the command names no sandbox, or all. */
function intentOf(
  { sandboxes, settle, settleRule }: ChangeContext,
  command: Command,
  isForAll: boolean,
  now: number,
): (world: World) => Intent {
  switch (command.do) {
    case 'freezeClock':
    case 'advanceClock':
    case 'resumeClock':
    case 'resetClock':
      return world => changeClock(world, command, now)
    case 'addKey':
    case 'changeKey':
    case 'deleteKey':
    case 'banKey':
    case 'unbanKey':
      return world => changeKeys(world, command, now)
    case 'addPet':
    case 'changePet':
    case 'deletePet':
      return world => changePets(world, command)
    case 'addRule':
    case 'removeRule':
      return world => changeRules(world, command, settleRule, now)
    case 'setScenario':
    case 'reset':
    case 'restoreSnapshot':
    case 'clearRequests':
    case 'createSandbox':
    case 'dropSandbox': {
      // All sandboxes share one settled scenario.
      let settled: ReturnType<SettleScenario> | undefined
      const settleOnce: SettleScenario = (...scenario) => {
        settled ??= settle(...scenario)
        return settled
      }
      return world => changeWorld({ sandboxes, settle: settleOnce, isForAll, now }, world, command)
    }
  }
}
