import { isUtf8 } from 'node:buffer'
import { formatComplaint } from '../../../control/files/complaint.ts'
import type { SandboxesSnapshot } from '../../../control/snapshot/saved.ts'
import { maxSnapshotBytes, readBytes } from '../../../doors/disk/read-bytes.ts'
import { explainFileError } from '../../../doors/disk/read-text.ts'
import { failed, type Loading } from '../load/loading.ts'
import { hasRightChecksum } from './checksum.ts'

/**
 * Reads a state file, or lists everything that is wrong with it. Undefined if it does not exist yet. `name`: the path as
 * the user typed it. `source`: the flag that names it.
 */
export async function readState(
  name: string,
  path: string,
  source: string,
): Promise<Loading<SandboxesSnapshot | undefined>> {
  let bytes: Buffer
  try {
    bytes = await readBytes(path, maxSnapshotBytes)
    if (!isUtf8(bytes)) throw new Error('it is not UTF-8')
  } catch (error) {
    if (isMissing(error)) return { ok: true, value: undefined }
    return failed(`${source}: ${name} cannot be read (${explainFileError(error)})`)
  }
  const { readSnapshotFile } = await import('../../../control/scenario/read/read-snapshot.ts')
  const reading = await readSnapshotFile(name, bytes.toString())
  // Older files have no checksum. In a damaged one, the field may no longer be where it was written.
  const isRight = hasRightChecksum(bytes) ?? !(reading.ok && reading.value.checksum !== undefined)
  if (reading.ok && isRight) return reading
  const complaints = reading.ok ? [] : reading.complaints.map(formatComplaint)
  const damaged = `${name} is damaged or was edited: its checksum does not match. If you edited it, remove the field checksum at its end.`
  const advice = `${name} was not changed. Delete it to start over, or use another file.`
  return failed(...complaints, ...(isRight ? [] : [damaged]), advice)
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
