import type { Door } from '../../service/call/fault.ts'
import type { Problem } from '../fields/problem.ts'
import { checkDoors } from '../scenario/checks/doors.ts'
import { isOfAllSandboxes, type Snapshot } from '../snapshot/saved.ts'

/** The first rule of a snapshot that a door cannot show: many worlds may hold the same one. */
export function checkSnapshotDoor(snapshot: Snapshot, door: Door | undefined): readonly Problem[] {
  if (door === undefined) return []
  const scenarios = isOfAllSandboxes(snapshot) ? snapshot.scenarios : [snapshot.scenario]
  const worlds = isOfAllSandboxes(snapshot) ? snapshot.sandboxes : [snapshot]
  const rules = [
    ...scenarios.map(scenario => scenario.rules),
    ...worlds.map(world => world.rules.rules.map(({ rule }) => rule)),
  ]
  return rules.flatMap(list => checkDoors(list, door)).slice(0, 1)
}
