import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import { formatComplaint } from '../../../control/files/complaint.ts'
import { profileText, readProfile } from '../../../control/profile/file.ts'
import { mergeProfiles } from '../../../control/profile/merge.ts'
import type { Profile } from '../../../emulator/worlds/scenario.ts'
import { codeOf, explainFileError, readText } from '../../../library/files/read-file.ts'
import { failed, type Loading, loadText } from '../load/loading.ts'
import { describeOwner } from './lock-owner.ts'
import { lockState } from './state-lock.ts'
import { writeWholeFile } from './write-whole-file.ts'

/** The profile in a file of the service. Undefined: there is no file yet. */
export async function readOwnProfile(path: string, service: string): Promise<Loading<Profile | undefined>> {
  if (!existsSync(path)) return { ok: true, value: undefined }
  const found = await loadText(path, readText(path), text => readProfile(path, text))
  if (!found.ok || found.value.service === service) return found
  const place = formatComplaint({ file: path, line: 2, column: 10, message: '' }).trimEnd()
  return failed(
    `${place} the profile is of ${found.value.service}, not of ${service}: name another file with --profile`,
  )
}

/** Finds out before the first call whether the profile can be written. */
export async function checkWritable(path: string): Promise<readonly string[]> {
  try {
    await access(dirname(path), constants.W_OK)
    return []
  } catch (error) {
    return [cannotWrite(path, error)]
  }
}

function cannotWrite(path: string, error: unknown): string {
  return `${path} cannot be written (${explainFileError(error)}): name another file with --profile`
}

/** Adds what was learned to a file, whole or not at all. Keeps what another process wrote in between. */
export async function saveProfile(
  path: string,
  now: Profile,
  pid: number,
): Promise<Loading<{ readonly before: Profile | undefined; readonly after: Profile }>> {
  try {
    const lock = await lockState(path, { owner: describeOwner(pid) })
    if (!lock.ok)
      return failed(`${path} is being written by the process ${lock.pid} on ${lock.host}: try again`)
    try {
      const before = await readOwnProfile(path, now.service)
      if (!before.ok) return before
      const after = mergeProfiles(before.value, now)
      const text = await profileText(after)
      await writeWholeFile(path, lock.temporary, () => [text])
      return { ok: true, value: { before: before.value, after } }
    } finally {
      await lock.release()
    }
  } catch (error) {
    // An error without a code is a defect.
    if (codeOf(error) === '') throw error
    return failed(cannotWrite(path, error))
  }
}
