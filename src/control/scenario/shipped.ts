import { scenarioFiles } from '../../generated/scenarios.ts'
import type { ScenarioFile } from './file.ts'
import { extendScenario } from './merge.ts'

/** The shipped scenarios by name, each with all that it extends. */
export const shippedScenarios: ReadonlyMap<string, ScenarioFile> = new Map(Object.entries(scenarioFiles))

/** Merges a scenario object with the shipped one that it extends. Throws if that one is unknown. */
export function extendShipped(file: ScenarioFile): ScenarioFile {
  if (file.extends === undefined || file.extends === null) return file
  const base = shippedScenarios.get(file.extends)
  if (base === undefined) {
    throw new Error(
      `extends: ${file.extends} is no shipped scenario; known are ${[...shippedScenarios.keys()].join(', ')}`,
    )
  }
  return extendScenario(base, file)
}
