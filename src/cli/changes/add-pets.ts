import { groupDigits } from '../../base/text/quantities.ts'
import { checkDocument } from '../../control/fields/check-document.ts'
import { list } from '../../control/fields/field.ts'
import { formatComplaint } from '../../control/files/complaint.ts'
import { addedPet } from '../../control/scenario/settings/world.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import type { Session } from '../remote/session.ts'
import { failed, type Loading } from '../start/load/loading.ts'
import { exitCodes } from '../terminal/io.ts'
import type { AddValues } from './pet-flags.ts'
import { readInput } from './read-input.ts'
import { type SentPet, showPets } from './show-pets.ts'

/** Adds the pet of the flags, or the pets of a file in their order. */
export async function addPets(session: Session<AddValues>): Promise<number> {
  const { words, values, ask, io } = session
  const { name, status, 'category-id': categoryId } = values
  const [path] = words
  const reading =
    path === undefined ? { ok: true as const, value: [{ name, categoryId, status }] } : await readPets(path)
  if (!reading.ok) return refuseUsage(reading.complaints, io)
  const added: SentPet[] = []
  for (const pet of reading.value) {
    try {
      added.push(await ask<SentPet>('POST', '/pets', pet))
    } catch (error) {
      if (!(error instanceof PetMockError) || added.length === 0) throw error
      throw new PetMockError(error.code, `${error.message} Added before: ${groupDigits(added.length)} pets.`)
    }
  }
  showPets(session, ...added)
  return exitCodes.fine
}

async function readPets(path: string): Promise<Loading<readonly object[]>> {
  const input = await readInput(path)
  if (!input.ok) return input
  const isList = Array.isArray(input.value.value)
  const checking = checkDocument<object | readonly object[]>(isList ? list(addedPet) : addedPet, input.value)
  if (!checking.ok) return failed(...checking.complaints.map(formatComplaint))
  return { ok: true, value: Array.isArray(checking.value) ? checking.value : [checking.value] }
}
