import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { findContradictions } from '../../judges/contract/description/contradictions.ts'
import { placeOf } from '../../judges/contract/description/description-node.ts'
import { type ContractAreas, createAreas } from '../../judges/contract/open-areas/areas.ts'
import { judgeOrders } from '../../judges/contract/open-areas/judge-orders.ts'
import { forPrism } from '../../judges/contract/prism/for-prism.ts'
import { readOperations } from '../../judges/contract/prism/prism.ts'
import { type ContractReading, type ReadText, readContract } from './read-contract.ts'

/** What a user's contract comes to. */
export interface LoadedAreas {
  readonly areas: ContractAreas
  /** What the emulator does otherwise, each as `file:line:column: what`. */
  readonly contradictions: readonly string[]
  /** The same of these orders, which are of no file of the contract. */
  readonly judgeOrders: (orders: readonly JsonValue[]) => Promise<readonly string[]>
  /** All its files, as a text by which another contract is told from it. */
  readonly text: string
}

/** The open areas of a user's OpenAPI file, or every complaint about it. This loads Prism. */
export async function loadAreas(path: string, readText: ReadText): Promise<ContractReading<LoadedAreas>> {
  const reading = await readContract(path, readText)
  if (!reading.ok) return reading
  const { contractDocument } = await import('../../generated/contract.ts')
  const contradictions = findContradictions(reading.value, contractDocument)
  const operations = await readOperations(forPrism(reading.value)).catch((error: unknown) => {
    if (error instanceof Error) return error
    throw error
  })
  if (operations instanceof Error)
    return { ok: false, complaints: [`${path}:1:1: it cannot be read as OpenAPI: ${operations.message}`] }
  const areas = createAreas(operations)
  return {
    ok: true,
    value: {
      areas,
      contradictions: contradictions.map(({ spot, message }) => `${placeOf(spot)}: ${message}`),
      judgeOrders: orders =>
        areas.find('/v1/store/orders', 'GET') === undefined
          ? judgeOrders(areas.operations, orders)
          : Promise.resolve([]),
      text: writeJson(Array.from(reading.value.files.values(), ({ value }) => value)),
    },
  }
}
