import { resolve } from 'node:path'
import { formatComplaint } from '../../control/files/complaint.ts'
import { complain } from '../../control/files/document.ts'
import { createJudge, type Judge } from '../../judges/contract/judge.ts'
import { type ContractReading, readDescription } from './read-contract.ts'
import { readText } from './read-text.ts'

export type LoadedContract = ContractReading<Judge>

/** Creates a judge from a user's OpenAPI file, or from pet-mock's own contract. This loads Prism. */
export async function loadContract(path: string | undefined): Promise<LoadedContract> {
  if (path === undefined) {
    const { contractDocument } = await import('../../generated/contract.ts')
    return { ok: true, value: await createJudge(contractDocument) }
  }
  const reading = await readDescription(path, readText)
  if (!reading.ok) return reading
  const { document, value } = reading.value
  const refuse = (field: string, message: string) => ({
    ok: false as const,
    complaints: [formatComplaint(complain(document, [field], 'value', message))],
  })
  try {
    const judge = await createJudge(value, resolve(path))
    return judge.operations.length > 0
      ? { ok: true, value: judge }
      : refuse('paths', 'expected at least one operation to check a server against')
  } catch (error) {
    return refuse('', `this is not valid OpenAPI: ${error instanceof Error ? error.message : error}`)
  }
}
