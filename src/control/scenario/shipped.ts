import { scenarioFiles } from '../../generated/scenarios.ts'
import { about } from '../files/show.ts'
import { wholeScenario } from './extend.ts'
import type { ScenarioFile } from './file.ts'

export const shippedScenarios: ReadonlyMap<string, ScenarioFile> = new Map(Object.entries(scenarioFiles))

/** Merges a scenario object with the shipped one that it extends. Throws if that one is unknown. */
export function extendShipped(file: ScenarioFile): ScenarioFile {
  const whole = wholeScenario(file, shippedScenarios)
  if ('message' in whole) throw new Error(about(whole.path, whole.message))
  return whole
}
