import { fileURLToPath } from 'node:url'
import { formatComplaint, type Reading } from '../../control/files/complaint.ts'
import { shippedFixtures } from '../../control/fixtures/fixtures.ts'
import { readProfile } from '../../control/profile/file.ts'
import { shippedScenarios } from '../../control/scenario/shipped.ts'
import type { OpenAreas } from '../../emulator/gates/open-areas.ts'
import type { Profile } from '../../emulator/worlds/scenario.ts'
import { PetMockError } from '../client/pet-mock-error.ts'
import { readFrom, readText } from '../files/read-file.ts'
import type { ReadScenarioFile } from './scenario-keys.ts'

/** Reads a scenario file and everything that it extends. Its name is its path. */
export const readScenarioFile: ReadScenarioFile = async file => {
  const path = toPath(file)
  const { readScenario } = await import('../../control/scenario/read/read.ts')
  const sources = { readText, fixtures: shippedFixtures, shipped: shippedScenarios }
  const read = () => readScenario(path, sources)
  const reading = await readFrom(path, readText(path), read, shippedScenarios.keys())
  return { scenario: valueOrThrow(reading, 'scenario'), name: path }
}

/** Reads the profile of a service. Rejects with a PetMockError that lists every mistake. */
export async function readProfileFile(file: string | URL): Promise<Profile> {
  const path = toPath(file)
  return valueOrThrow(await readFrom(path, readText(path), text => readProfile(path, text)), 'profile')
}

function valueOrThrow<T>(reading: Reading<T> | string, what: 'scenario' | 'profile'): T {
  if (typeof reading === 'string') throw new PetMockError(`invalid_${what}`, `${what}: ${reading}`)
  if (reading.ok) return reading.value
  throw new PetMockError(`invalid_${what}`, reading.complaints.map(formatComplaint).join('\n'))
}

/** Reads the operations that a user's contract adds. Rejects with a PetMockError that lists every mistake. */
export async function readOpenAreas(file: string | URL): Promise<OpenAreas> {
  const { loadAreas } = await import('../files/load-contract.ts')
  const loading = await loadAreas(toPath(file), readText)
  if (loading.ok) {
    for (const text of loading.value.leftOut) console.warn(`pet-mock: openapi: left out: ${text}`)
    return loading.value.areas
  }
  throw new PetMockError('invalid_openapi', loading.complaints.map(text => `openapi: ${text}`).join('\n'))
}

function toPath(file: string | URL): string {
  return file instanceof URL ? fileURLToPath(file) : file
}
