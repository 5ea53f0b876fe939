import type { ScenarioFile } from '../../control/scenario/file.ts'
import { rehearsals } from '../../generated/rehearsals.ts'

/** What the shipped scenarios expect of a client, by name. It is a file of its own because a server needs none. */
const shippedRehearsals: ReadonlyMap<string, ScenarioFile['rehearsal']> = new Map(Object.entries(rehearsals))

/** A shipped scenario with its rehearsal. */
export function withRehearsal(name: string, file: ScenarioFile): ScenarioFile {
  return { ...file, rehearsal: shippedRehearsals.get(name) }
}
