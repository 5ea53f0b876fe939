import type { ScenarioFile } from '../../control/scenario/file.ts'
import { PetMockError } from '../client/pet-mock-error.ts'
import type { ScenarioChoice, ScenarioPath } from './pet-mock.ts'

/** What a scenario is called that has no name of its own. */
export const unnamed = 'custom'

/** Reads a scenario file, with all that it extends. Rejects with a PetMockError that tells all that is wrong with it. */
export type ReadScenarioFile = (path: ScenarioPath) => Promise<WrittenScenario>

/** A scenario as the command that sets it takes it. */
export interface WrittenScenario {
  readonly scenario: string | ScenarioFile
  readonly name?: string
}

export function isPath(scenario: ScenarioChoice | ScenarioPath): scenario is ScenarioPath {
  return scenario instanceof URL || (typeof scenario === 'string' && /\.(?:ya?ml|json)$/i.test(scenario))
}

export async function writtenScenario(
  scenario: ScenarioChoice | ScenarioPath,
  readFile: ReadScenarioFile,
): Promise<WrittenScenario> {
  if (isPath(scenario)) return await readFile(scenario)
  return typeof scenario === 'string' ? { scenario } : { scenario, name: unnamed }
}

/** Where there may be no files, as in a browser. */
export const readNoFile: ReadScenarioFile = async path => {
  const remedy = 'Write the scenario as an object.'
  throw new PetMockError('invalid_scenario', `scenario: ${path} is a file, and none is read here. ${remedy}`)
}
