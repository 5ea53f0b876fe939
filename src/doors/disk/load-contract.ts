import { resolve } from 'node:path'
import { formatComplaint } from '../../control/files/complaint.ts'
import { complain } from '../../control/files/document.ts'
import { createJudge, type Judge } from '../../judges/contract/judge.ts'
import { readDescription } from './read-contract.ts'
import { readText } from './read-text.ts'

/** A judge, or everything that is wrong with the file that was to be the contract. */
export type LoadedContract =
  | { readonly ok: true; readonly judge: Judge }
  | { readonly ok: false; readonly complaints: readonly string[] }

/** A judge by a user's OpenAPI file, or by the contract that pet-mock ships. This loads Prism. */
export async function loadContract(path: string | undefined): Promise<LoadedContract> {
  if (path !== undefined) return loadFile(path)
  const { contractDocument } = await import('../../generated/contract.ts')
  return { ok: true, judge: await createJudge(contractDocument) }
}

async function loadFile(path: string): Promise<LoadedContract> {
  const reading = await readDescription(path, readText)
  if (!reading.ok) return reading
  const { document, value } = reading.value
  const at = (field: string, message: string): LoadedContract => ({
    ok: false,
    complaints: [formatComplaint(complain(document, [field], 'value', message))],
  })
  try {
    const judge = await createJudge(value, resolve(path))
    return judge.operations.length > 0
      ? { ok: true, judge }
      : at('paths', 'there is no operation to hold a server against')
  } catch (error) {
    return at('', `it cannot be read as OpenAPI: ${error instanceof Error ? error.message : error}`)
  }
}
