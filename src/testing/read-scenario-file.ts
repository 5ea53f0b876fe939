import { fileURLToPath } from 'node:url'
import { formatComplaint } from '../files/complaint.ts'
import { shippedFixtures } from '../fixtures/fixtures.ts'
import type { ScenarioFile } from '../scenario/file.ts'
import { shippedScenarios } from '../scenario/shipped.ts'
import type { ScenarioPath } from './pet-mock.ts'
import { PetMockError } from './pet-mock-error.ts'

/** As it was given, from the directory in which the process runs. */
function pathOf(path: ScenarioPath): string {
  return path instanceof URL ? fileURLToPath(path) : path
}

/** A scenario file, with all that it extends; it is called by its path. */
export async function readScenarioFile(
  given: ScenarioPath,
): Promise<{ readonly scenario: ScenarioFile; readonly name: string }> {
  const path = pathOf(given)
  const [{ readScenario }, { explainUnreadable, readText }] = await Promise.all([
    import('../scenario/read.ts'),
    import('../disk/read-text.ts'),
  ])
  const unreadable = await explainUnreadable(path, readText, shippedScenarios.keys())
  if (unreadable !== undefined) throw new PetMockError('invalid_scenario', `scenario: ${unreadable}`)
  const reading = await readScenario(path, { readText, fixtures: shippedFixtures, shipped: shippedScenarios })
  if (reading.ok) return { scenario: reading.value.file, name: path }
  throw new PetMockError('invalid_scenario', reading.complaints.map(formatComplaint).join('\n'))
}
