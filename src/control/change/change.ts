import type { Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import { showValue } from '../files/show.ts'
import { isOfAllSandboxes } from '../snapshot/saved.ts'
import { changeClock } from './clock.ts'
import type { Command } from './command.ts'
import { type Changed, type Intent, notFound, type Refusal } from './intent.ts'
import { changeKeys } from './keys.ts'
import { changePets } from './pets.ts'
import { findPlaces, type Place } from './place.ts'
import { changeRules, type SettleRule } from './rules.ts'
import { changeWorld, restoreAll, type SettleScenario } from './worlds.ts'

/** What commands are done to. */
export interface Changeable {
  readonly sandboxes: Sandboxes
  readonly settle: SettleScenario
  readonly settleRule: SettleRule
}

export type Outcome =
  | { readonly ok: true; readonly changed: Changed }
  | { readonly ok: false; readonly refusal: Refusal }

/**
 * Does a command in a sandbox, in all of them (`*`), or, where none is named, in the default one; or refuses it and
 * does nothing, in no sandbox. `now` is the door's time in milliseconds since the epoch.
 */
export function change(
  { sandboxes, settle, settleRule }: Changeable,
  sandbox: string | undefined,
  command: Command,
  now: number,
): Outcome {
  const named = command.do === 'createSandbox' ? command.name : sandbox
  const places = findPlaces(sandboxes, named, now)
  if (places === undefined) {
    const expected = 'a name is at most 64 letters, digits and . _ -'
    return { ok: false, ...notFound(`there can be no sandbox ${showValue(named)}: ${expected}`) }
  }
  if (sandbox === '*' && command.do === 'restoreSnapshot' && isOfAllSandboxes(command.snapshot)) {
    const intent = restoreAll(sandboxes, command.snapshot)
    if ('refusal' in intent) return { ok: false, refusal: intent.refusal }
    return { ok: true, changed: { ...intent.act(), sandboxes: sandboxes.names() } }
  }
  // All sandboxes share one settled scenario, however many they are.
  let settled: ReturnType<SettleScenario> | undefined
  const settleOnce: SettleScenario = (...named) => {
    settled ??= settle(...named)
    return settled
  }
  const intents = places.map(place => ({
    place,
    intent: intend(place, command, { settle: settleOnce, settleRule }, now),
  }))
  for (const { intent } of intents) if ('refusal' in intent) return { ok: false, refusal: intent.refusal }
  let changed: Changed = { sandboxes: places.map(({ world }) => world.sandbox) }
  for (const { place, intent } of intents) {
    if ('refusal' in intent) continue
    sandboxes.keep(place.world)
    changed = { ...changed, ...intent.act() }
  }
  return { ok: true, changed }
}

function intend(
  place: Place,
  command: Command,
  { settle, settleRule }: Omit<Changeable, 'sandboxes'>,
  now: number,
): Intent {
  const { world } = place
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
    case 'removeRule':
      return changeRules(world, command, settleRule, now)
    case 'setScenario':
    case 'reset':
    case 'restoreSnapshot':
    case 'clearRequests':
    case 'createSandbox':
    case 'dropSandbox':
      return changeWorld(place, command, settle)
  }
}
