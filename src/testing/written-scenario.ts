import { fileURLToPath } from 'node:url'
import { formatComplaint } from '../files/complaint.ts'
import { shippedFixtures } from '../fixtures/fixtures.ts'
import type { ScenarioFile } from '../scenario/file.ts'
import { shippedScenarios } from '../scenario/shipped.ts'
import type { ScenarioChoice, ScenarioPath } from './pet-mock.ts'
import { PetMockError } from './pet-mock-error.ts'

/** What a scenario is called that has no name of its own. */
export const unnamed = 'custom'

/** A scenario as the command that sets it takes it. A file is read, with all that it extends. */
export async function writtenScenario(
  scenario: ScenarioChoice | ScenarioPath,
): Promise<{ readonly scenario: string | ScenarioFile; readonly name?: string }> {
  if (!isPath(scenario)) return typeof scenario === 'string' ? { scenario } : { scenario, name: unnamed }
  const path = pathOf(scenario)
  return { scenario: await readScenarioFile(path), name: path }
}

export function isPath(scenario: ScenarioChoice | ScenarioPath): scenario is ScenarioPath {
  return scenario instanceof URL || (typeof scenario === 'string' && /\.(?:ya?ml|json)$/i.test(scenario))
}

/** As it was given, from the directory in which the process runs. */
export function pathOf(path: ScenarioPath): string {
  return path instanceof URL ? fileURLToPath(path) : path
}

export async function readScenarioFile(path: string): Promise<ScenarioFile> {
  const [{ readScenario }, { explainUnreadable, readText }] = await Promise.all([
    import('../scenario/read.ts'),
    import('../disk/read-text.ts'),
  ])
  const unreadable = await explainUnreadable(path, readText, shippedScenarios.keys())
  if (unreadable !== undefined) throw new PetMockError('invalid_scenario', `scenario: ${unreadable}`)
  const reading = await readScenario(path, { readText, fixtures: shippedFixtures, shipped: shippedScenarios })
  if (reading.ok) return reading.value.file
  throw new PetMockError('invalid_scenario', reading.complaints.map(formatComplaint).join('\n'))
}
