import { sandboxNames } from '../../emulator/worlds/constraints.ts'
import type { Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import type { World } from '../../emulator/worlds/world.ts'
import type { Door } from '../../service/call/fault.ts'
import { showValue } from '../files/show.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'
import type { Command } from '../scenario/file.ts'
import { isOfAllSandboxes } from '../snapshot/saved.ts'
import { type Changed, type Intent, notFound, type Refusal } from './intent.ts'
import { intentIn } from './run-event.ts'
import { changeWorld, restoreAll, type WorldContext } from './worlds.ts'

/**
 * Runs a command, whose fields its declaration has checked, in one sandbox, in all of them (`*`), or by default in the
 * default one. A refused command changes no sandbox. `now` is the time of the door in milliseconds since the epoch.
 */
export type Change = (sandbox: string | undefined, command: Command, now: number) => ChangeOutcome

export type ChangeOutcome =
  | { readonly ok: true; readonly changed: Changed }
  | { readonly ok: false; readonly refusal: Refusal }

/**
 * `door`: refuses rules that it cannot show; without one, every rule is accepted. `settled`: the scenario that the next
 * `useScenario` uses, in place of the one that its command gives.
 */
export function createChange(
  sandboxes: Sandboxes,
  fixtures: Fixtures,
  door?: Door,
  settled?: WorldContext['settled'],
): Change {
  const change: Change = (sandbox, command, now) => {
    if (sandbox === '*' && command.do === 'loadSnapshot' && isOfAllSandboxes(command.snapshot))
      return apply([restoreAll(sandboxes, command.snapshot, door)], () => sandboxes.names())
    const named = command.do === 'createSandbox' ? command.name : sandbox
    const names = named === '*' ? sandboxes.names() : [named ?? sandboxes.default.sandbox]
    const worlds = names.flatMap(name => sandboxes.open(name, now) ?? [])
    if (worlds.length < names.length)
      return { ok: false, ...notFound(`${showValue(named)} is not ${sandboxNames.expected}`) }
    const isForAll = named === undefined || named === '*'
    const intend = intentOf({ sandboxes, fixtures, door, isForAll, now, settled }, command)
    const intents = worlds.map(world => keeping(world, sandboxes, intend(world)))
    return apply(intents, () => names)
  }
  return (sandbox, command, now) => {
    const outcome = change(sandbox, command, now)
    if (outcome.ok) sandboxes.listener?.changed?.(sandbox, command, now)
    return outcome
  }
}

/** Applies every intent, or none if one is refused. */
function apply(intents: readonly Intent[], names: () => readonly string[]): ChangeOutcome {
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

function intentOf(context: WorldContext, command: Command): (world: World) => Intent {
  switch (command.do) {
    case 'useScenario':
    case 'reset':
    case 'loadSnapshot':
    case 'clearRequests':
    case 'createSandbox':
    case 'deleteSandbox':
      return changeWorld(context, command)
    default:
      return world => intentIn(world, command, context.now, context.door)
  }
}
