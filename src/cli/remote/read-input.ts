import { checkDocument } from '../../control/fields/check-document.ts'
import { list } from '../../control/fields/field.ts'
import { type Document, formatComplaint } from '../../control/files/complaint.ts'
import { decodeText, NotText } from '../../control/files/decode.ts'
import { maxFileBytes, readDocument } from '../../control/files/document.ts'
import { addedPet } from '../../control/scenario/settings/world.ts'
import { explainUnreadable, readText } from '../../library/files/read-file.ts'
import { failed, type Loading } from '../start/load/loading.ts'
import { readStandardInput, standardInput } from '../terminal/standard-input.ts'

/** Reads YAML or JSON from a file of at most 1 MiB, or from standard input for `-`. Lists every syntax error. */
export async function readInput(path: string): Promise<Loading<Document>> {
  const isInput = path === standardInput
  const name = isInput ? 'standard input' : path
  const unreadable = isInput ? undefined : await explainUnreadable(path, readText, [])
  if (unreadable !== undefined) return failed(unreadable)
  try {
    const reading = await readDocument(
      name,
      isInput ? decodeText(await readStandardInput(maxFileBytes)) : await readText(path),
    )
    return reading.ok ? reading : failed(...reading.complaints.map(formatComplaint))
  } catch (error) {
    if (error instanceof NotText)
      return failed(formatComplaint({ file: name, ...error.place, message: error.message }))
    throw error
  }
}

/** The pets of a file: a list of them, or a single one. */
export async function readPets(path: string): Promise<Loading<readonly object[]>> {
  const input = await readInput(path)
  if (!input.ok) return input
  const isList = Array.isArray(input.value.value)
  const checking = checkDocument<object | readonly object[]>(isList ? list(addedPet) : addedPet, input.value)
  if (!checking.ok) return failed(...checking.complaints.map(formatComplaint))
  return { ok: true, value: Array.isArray(checking.value) ? checking.value : [checking.value] }
}
