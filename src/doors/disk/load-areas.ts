import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { documentOf } from '../../control/files/document.ts'
import { checkDescription } from '../../judges/contract/description/check-description.ts'
import { DescriptionNode } from '../../judges/contract/description/description-node.ts'
import { findContradictions } from '../../judges/contract/description/find-contradictions.ts'
import { type ContractAreas, createAreas } from '../../judges/contract/open-areas/areas.ts'
import { judgeOrders } from '../../judges/contract/open-areas/judge-orders.ts'
import { explainExpansion } from '../../judges/contract/prism/expansion.ts'
import { exactly, forPrism } from '../../judges/contract/prism/for-prism.ts'
import { readOperations } from '../../judges/contract/prism/prism.ts'
import { explainNoCodeGeneration } from './code-generation.ts'
import { type ContractReading, type ReadText, readContract, refuse } from './read-contract.ts'

/** What pet-mock serves from a user's contract, and how the two differ. */
export interface LoadedAreas {
  readonly areas: ContractAreas
  /** Where the emulator differs from the contract, each as `file:line:column: message`. */
  readonly contradictions: readonly string[]
  /** Where these orders differ from the contract. The orders have no place in a file. */
  readonly judgeOrders: (orders: readonly JsonValue[]) => Promise<readonly string[]>
  /** The content of all files, to detect a change. */
  readonly text: string
}

/** Loads a user's OpenAPI file, or lists every mistake in it. This loads Prism. */
export async function loadAreas(path: string, readText: ReadText): Promise<ContractReading<LoadedAreas>> {
  const obstacle = explainNoCodeGeneration()
  if (obstacle !== undefined) return { ok: false, complaints: [obstacle] }
  const reading = await readContract(path, readText, checkDescription)
  if (!reading.ok) return reading
  const root = reading.value
  const whole = forPrism(root)
  const excess = explainExpansion(whole)
  if (excess !== undefined) return refuse(root.complaint(excess))
  const { contractDocument } = await import('../../generated/contract.ts')
  const ours = DescriptionNode.rootOf(documentOf(contractDocument))
  const operations = await readOperations(whole).catch((error: unknown) => {
    if (error instanceof Error) return error
    throw error
  })
  if (operations instanceof Error)
    return { ok: false, complaints: [`${path}:1:1: this is not valid OpenAPI: ${operations.message}`] }
  const own = createAreas(operations)
  const areas: ContractAreas = {
    ...own,
    description: () => ({
      document: Object(exactly(forPrism(root))),
      operations: own.served.map(({ described: { path, method } }) => ({
        path,
        method: method.toLowerCase(),
      })),
    }),
  }
  const servesOrders = areas.find('/v1/store/orders', 'GET') !== undefined
  return {
    ok: true,
    value: {
      areas,
      contradictions: findContradictions(root, ours).map(({ node, message }) => `${node.place}: ${message}`),
      judgeOrders: async orders => (servesOrders ? [] : judgeOrders(areas.operations, orders)),
      text: writeJson(Array.from(root.files.values(), ({ value }) => value)),
    },
  }
}
