import { createJudge, type Judge } from '../../judges/contract/judge.ts'
import { explainExpansion } from '../../judges/contract/prism/expansion.ts'
import { forPrism } from '../../judges/contract/prism/for-prism.ts'
import { explainNoCodeGeneration } from './code-generation.ts'
import { type ContractReading, readContract, refuse } from './read-contract.ts'
import { readText } from './read-text.ts'

export type LoadedContract = ContractReading<Judge>

/** Creates a judge from a user's OpenAPI file, or from pet-mock's own contract. This loads Prism. */
export async function loadContract(path: string | undefined): Promise<LoadedContract> {
  const obstacle = explainNoCodeGeneration()
  if (obstacle !== undefined) return { ok: false, complaints: [obstacle] }
  if (path === undefined) {
    const { contractDocument } = await import('../../generated/contract.ts')
    return { ok: true, value: await createJudge(contractDocument) }
  }
  const reading = await readContract(path, readText, () => [])
  if (!reading.ok) return reading
  const root = reading.value
  const whole = forPrism(root)
  const excess = explainExpansion(whole)
  if (excess !== undefined) return refuse(root.complaint(excess))
  try {
    const judge = await createJudge(root.map ?? {}, whole)
    return judge.operations.length > 0
      ? { ok: true, value: judge }
      : refuse(root.at('paths').complaint('expected at least one operation to check a server against'))
  } catch (error) {
    const message = error instanceof Error ? error.message : `${error}`
    return refuse(root.complaint(`this is not valid OpenAPI: ${message}`))
  }
}

/** The judge of a loaded contract. Throws an error that lists every mistake, if there are any. */
export function judgeOf(loaded: LoadedContract): Judge {
  if (loaded.ok) return loaded.value
  throw new Error(loaded.complaints.join('\n'))
}
