import { fileURLToPath } from 'node:url'
import type { OpenAreas } from '../../emulator/gates/open-areas.ts'
import { PetMockError } from '../client/pet-mock-error.ts'

/** What a contract of the user's adds to the service. Rejects with a PetMockError that tells every complaint about it. */
export async function readOpenAreas(given: string | URL): Promise<OpenAreas> {
  const [{ loadAreas }, { readText }] = await Promise.all([
    import('../../doors/disk/load-areas.ts'),
    import('../../doors/disk/read-text.ts'),
  ])
  const loading = await loadAreas(given instanceof URL ? fileURLToPath(given) : given, readText)
  if (loading.ok) return loading.value.areas
  throw new PetMockError('invalid_openapi', loading.complaints.map(text => `openapi: ${text}`).join('\n'))
}
