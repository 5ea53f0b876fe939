import { fileURLToPath } from 'node:url'
import type { OpenAreas } from '../../emulator/gates/open-areas.ts'
import { PetMockError } from '../client/pet-mock-error.ts'

/** Reads the operations that a user's contract adds. Rejects with a PetMockError that lists every mistake. */
export async function readOpenAreas(path: string | URL): Promise<OpenAreas> {
  const [{ loadAreas }, { readText }] = await Promise.all([
    import('../../doors/disk/load-areas.ts'),
    import('../../doors/disk/read-text.ts'),
  ])
  const loading = await loadAreas(path instanceof URL ? fileURLToPath(path) : path, readText)
  if (loading.ok) return loading.value.areas
  throw new PetMockError('invalid_openapi', loading.complaints.map(text => `openapi: ${text}`).join('\n'))
}
