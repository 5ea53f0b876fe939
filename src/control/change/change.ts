import { sandboxNames } from '../../emulator/worlds/constraints.ts'
import type { Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import type { Profile, Scenario } from '../../emulator/worlds/scenario.ts'
import type { World } from '../../emulator/worlds/world.ts'
import type { Door } from '../../service/call/fault.ts'
import { inOrder } from '../fields/in-order.ts'
import type { Problems } from '../fields/problem.ts'
import { showValue } from '../files/show.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'
import { checkDoors, checkScenarioDoors } from '../scenario/checks/doors.ts'
import { checkScenarioFile } from '../scenario/checks/walkthrough.ts'
import { wholeScenario } from '../scenario/extend.ts'
import type { Command, CommandOf } from '../scenario/file.ts'
import { completeSnapshot } from '../scenario/settings/snapshot.ts'
import { settleChecked } from '../scenario/settle/settle.ts'
import { shippedScenarios } from '../scenario/shipped.ts'
import { checkSnapshot } from '../snapshot/check.ts'
import { restoreSandboxes, restoreWorld } from '../snapshot/restore.ts'
import { isOfAllSandboxes, type SandboxesSnapshot, type Snapshot } from '../snapshot/saved.ts'
import {
  type Changed,
  type Intent,
  notFound,
  type Refusal,
  type Refused,
  refuseCommand,
  refuseField,
} from './intent.ts'
import { intentIn } from './run-event.ts'

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

interface WorldContext {
  readonly sandboxes: Sandboxes
  readonly fixtures: Fixtures
  /** Where the replies go out. */
  readonly door: Door | undefined
  /** The command names no sandbox, or all. */
  readonly isForAll: boolean
  readonly now: number
  /** Undefined: `useScenario` settles the scenario that its command gives. */
  readonly settled: (() => Scenario) | undefined
}

function intentOf(
  { sandboxes, fixtures, door, isForAll, now, settled }: WorldContext,
  command: Command,
): (world: World) => Intent {
  switch (command.do) {
    case 'useScenario': {
      // All sandboxes share one settled scenario.
      const scenario = settled?.() ?? settleScenario(command, fixtures, door, sandboxes.profile)
      if ('refusal' in scenario) return () => scenario
      return ({ sandbox }) =>
        () => {
          if (isForAll) {
            sandboxes.scenario = scenario
            // Those that run another one no longer follow.
            for (const world of sandboxes) world.follows = world.scenario === scenario
          }
          return void sandboxes.startAnew(sandbox, now, scenario)
        }
    }
    case 'reset':
      return ({ sandbox }) =>
        () =>
          void sandboxes.startAnew(sandbox, now)
    case 'loadSnapshot':
      return world => restoreOne(sandboxes, world, completeSnapshot(command.snapshot as Snapshot), door)
    case 'clearRequests':
      return ({ journal }) =>
        () =>
          void journal.clear()
    case 'createSandbox':
      // `createChange` keeps the world of every sandbox, new ones included.
      return () => () => undefined
    case 'deleteSandbox':
      return ({ sandbox }) => {
        if (sandboxes.get(sandbox) === undefined) return notFound(`there is no sandbox ${sandbox}`)
        return () => void sandboxes.drop(sandbox, now)
      }
    default:
      return world => intentIn(world, command, now, door)
  }
}

function settleScenario(
  { scenario, name }: CommandOf<'useScenario'>,
  fixtures: Fixtures,
  door: Door | undefined,
  profile: Profile | undefined,
): Scenario | Refused {
  const file = wholeScenario(scenario, shippedScenarios)
  if ('message' in file) return refuseField('scenario', [file])
  const problems = checkScenarioFile(file, fixtures)
  if (problems.length > 0) return refuseField('scenario', inOrder(scenario, problems))
  const ownName = name ?? (typeof scenario === 'string' ? scenario : 'unnamed')
  const settled = settleChecked(ownName, file, fixtures, { profile })
  const hidden = door === undefined ? [] : checkScenarioDoors(settled, door)
  return hidden.length > 0 ? refuseField('scenario', inOrder(scenario, hidden)) : settled
}

function restoreOne(
  sandboxes: Sandboxes,
  { sandbox, scenario }: World,
  snapshot: Snapshot,
  door: Door | undefined,
): Intent {
  const problems = [...checkSnapshot(snapshot), ...checkSnapshotDoor(snapshot, door)]
  if (problems.length > 0) return refuseField('snapshot', problems)
  if (isOfAllSandboxes(snapshot))
    return refuseCommand(
      "snapshot: it contains all sandboxes. Restore it with sandbox=*, in a shell --sandbox '*'",
    )
  const restored = restoreWorld(sandbox, snapshot, [scenario, sandboxes.scenario])
  // The file of the scenario may have changed since.
  restored.follows = restored.scenario.name === sandboxes.scenario.name
  return () => void sandboxes.keep(restored)
}

function restoreAll(sandboxes: Sandboxes, given: SandboxesSnapshot, door: Door | undefined): Intent {
  const snapshot = completeSnapshot(given)
  const problems = [...checkSnapshot(snapshot), ...checkSnapshotDoor(snapshot, door)]
  if (problems.length > 0) return refuseField('snapshot', problems)
  const known = new Set([sandboxes.scenario, ...Array.from(sandboxes, ({ scenario }) => scenario)])
  const restored = restoreSandboxes(snapshot, [...known])
  return () => void sandboxes.replaceAll(...restored)
}

/** The first rule of a snapshot that a door cannot show: many worlds may hold the same one. */
function checkSnapshotDoor(snapshot: Snapshot, door: Door | undefined): Problems {
  if (door === undefined) return []
  const scenarios = isOfAllSandboxes(snapshot) ? snapshot.scenarios : [snapshot.scenario]
  const worlds = isOfAllSandboxes(snapshot) ? snapshot.sandboxes : [snapshot]
  const rules = [
    ...scenarios.map(scenario => scenario.rules),
    ...worlds.map(world => world.rules.rules.map(({ rule }) => rule)),
  ]
  return rules.flatMap(list => checkDoors(list, door)).slice(0, 1)
}
