import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { explainFileError } from '../../../doors/disk/read-text.ts'
import { writeWholeFile } from './write-whole-file.ts'

export type Copy =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly directory: string; readonly reason: string }

/**
 * Writes a file that cannot be saved at its own place to the system's temporary directory, in a new directory that only
 * this user can read.
 */
export async function writeElsewhere(base: string, pieces: () => Iterable<string>): Promise<Copy> {
  let made: string | undefined
  try {
    made = await mkdtemp(join(tmpdir(), 'pet-mock-state-'))
    const path = join(made, base)
    await writeWholeFile(path, `${path}.tmp`, pieces)
    return { ok: true, path }
  } catch (error) {
    if (made !== undefined) await rm(made, { recursive: true, force: true }).catch(() => {})
    return { ok: false, directory: tmpdir(), reason: explainFileError(error) }
  }
}
