import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { isJsonObject } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { openStream } from './follow-requests.ts'
import type { Session } from './server-command.ts'

/** Saves the box of a server to a file. The box is no JSON, so this does not ask as other commands do. Rejects with a PetMockError, or with Node's system error. */
export async function fetchBox(session: Session, path: string) {
  const { admin, io } = session
  const response = await openStream(session, '/box', AbortSignal.timeout(600_000)).catch(error => {
    throw new PetMockError('unreachable', `No pet-mock answers at ${admin}. Is it running?`, { cause: error })
  })
  if (response.statusCode !== 200) {
    const reading = readJson(await text(response))
    const message = 'value' in reading && isJsonObject(reading.value) ? reading.value.message : undefined
    throw new PetMockError('not_found', typeof message === 'string' ? message : `${admin} gives no box.`)
  }
  const temporary = `${path}.${io.pid}.tmp`
  try {
    await pipeline(response, createWriteStream(temporary))
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  return { file: path, bytes: (await stat(path)).size }
}
