import { fileURLToPath } from 'node:url'
import { formatComplaint } from '../../control/files/complaint.ts'
import { shippedFixtures } from '../../control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { shippedScenarios } from '../../control/scenario/shipped.ts'
import { PetMockError } from '../client/pet-mock-error.ts'
import type { ScenarioPath } from './pet-mock.ts'

/** Reads a scenario file and everything that it extends. Its name is its path. */
export async function readScenarioFile(
  file: ScenarioPath,
): Promise<{ readonly scenario: ScenarioFile; readonly name: string }> {
  const path = file instanceof URL ? fileURLToPath(file) : file
  const [{ readScenario }, { explainUnreadable, readText }] = await Promise.all([
    import('../../control/scenario/read/read.ts'),
    import('../../doors/disk/read-text.ts'),
  ])
  const unreadable = await explainUnreadable(path, readText, shippedScenarios.keys())
  if (unreadable !== undefined) throw new PetMockError('invalid_scenario', `scenario: ${unreadable}`)
  const reading = await readScenario(path, { readText, fixtures: shippedFixtures, shipped: shippedScenarios })
  if (reading.ok) return { scenario: reading.value.file, name: path }
  throw new PetMockError('invalid_scenario', reading.complaints.map(formatComplaint).join('\n'))
}
