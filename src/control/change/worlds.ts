import type { Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { about } from '../files/show.ts'
import { checkSnapshot } from '../snapshot/check.ts'
import { restoreSandboxes, restoreWorld } from '../snapshot/restore.ts'
import { isOfAllSandboxes, type SandboxesSnapshot, type Snapshot } from '../snapshot/saved.ts'
import type { WorldCommand } from './command.ts'
import { type Intent, notFound, type Refused, refuseCommand } from './intent.ts'

/** Turns the scenario of a command, or the name of one, into a scenario, or lists its problems. */
export type SettleScenario = (
  scenario: unknown,
  name: string | undefined,
) => { readonly scenario: Scenario } | { readonly problems: readonly string[] }

interface WorldContext {
  readonly sandboxes: Sandboxes
  readonly settle: SettleScenario
  /** The command names no sandbox, or all. */
  readonly isForAll: boolean
  readonly now: number
}

export function changeWorld(
  { sandboxes, settle, isForAll, now }: WorldContext,
  world: World,
  command: WorldCommand,
): Intent {
  const { sandbox } = world
  switch (command.do) {
    case 'setScenario': {
      const settled = settle(command.scenario, command.name ?? undefined)
      if ('problems' in settled) return refuseCommand(...settled.problems)
      return () => {
        if (isForAll) sandboxes.scenario = settled.scenario
        sandboxes.startAnew(sandbox, now, settled.scenario)
        return undefined
      }
    }
    case 'reset':
      return () => void sandboxes.startAnew(sandbox, now)
    case 'restoreSnapshot':
      return restoreOne(sandboxes, world, command.snapshot)
    case 'clearRequests':
      return () => void world.journal.clear()
    case 'createSandbox':
      // `change` keeps the world of every sandbox, new ones included.
      return () => undefined
    case 'dropSandbox':
      if (sandboxes.get(sandbox) === undefined) return notFound(`there is no sandbox ${sandbox}`)
      return () => void sandboxes.drop(sandbox, now)
  }
}

function restoreOne(sandboxes: Sandboxes, { sandbox, scenario }: World, snapshot: Snapshot): Intent {
  const refused = refuseSnapshot(snapshot)
  if (refused !== undefined) return refused
  if (isOfAllSandboxes(snapshot))
    return refuseCommand('snapshot: it holds all sandboxes, so restore it in all of them (*)')
  const restored = restoreWorld(sandbox, snapshot, [scenario, sandboxes.scenario])
  return () => void sandboxes.keep(restored)
}

/** Replaces all sandboxes. */
export function restoreAll(sandboxes: Sandboxes, snapshot: SandboxesSnapshot): Intent {
  const refused = refuseSnapshot(snapshot)
  if (refused !== undefined) return refused
  const known = new Set([sandboxes.scenario, ...Array.from(sandboxes, ({ scenario }) => scenario)])
  const restored = restoreSandboxes(snapshot, [...known])
  return () => void sandboxes.replaceAll(...restored)
}

function refuseSnapshot(snapshot: Snapshot): Refused | undefined {
  const problems = checkSnapshot(snapshot).map(({ path, message }) => about(['snapshot', ...path], message))
  return problems.length === 0 ? undefined : refuseCommand(...problems)
}
