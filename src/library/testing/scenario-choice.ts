import type { ScenarioFile } from '../../control/scenario/file.ts'
import { PetMockError } from '../client/pet-mock-error.ts'
import type { ScenarioChoice, ScenarioPath } from './pet-mock.ts'

/** The name of a scenario that is an object. */
export const unnamed = 'custom'

/** Reads a scenario file and everything that it extends. Rejects with a PetMockError that lists every mistake. */
export type ReadScenarioFile = (
  path: ScenarioPath,
) => Promise<{ readonly scenario: ScenarioFile; readonly name: string }>

export function isPath(scenario: ScenarioChoice | ScenarioPath): scenario is ScenarioPath {
  return scenario instanceof URL || (typeof scenario === 'string' && /\.(?:ya?ml|json)$/i.test(scenario))
}

/** For browsers, which have no files. */
export const readNoFile: ReadScenarioFile = async path => {
  throw new PetMockError(
    'invalid_scenario',
    `scenario: ${path} is a file, which MSW handlers cannot read. Write the scenario as an object.`,
  )
}
