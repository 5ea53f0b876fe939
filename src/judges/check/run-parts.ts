import type { JsonObject } from '../../base/json/value.ts'
import type { ContractOperation } from '../contract/judgement.ts'
import type { Ledger } from './ledger.ts'
import type { CheckRequest, Seen } from './request.ts'
import type { Service } from './service.ts'

/** What the parts of a run share. */
export interface Run {
  readonly service: Service
  readonly ledger: Ledger
  readonly operations: readonly ContractOperation[]
  /** The path of the base URL, in front of every target. */
  readonly basePath: string
  /** Whether animals may be made, which nobody can delete again. */
  readonly allowsWrites: boolean
  readonly seed: number
  /** The longest wait for a window to reset, in milliseconds. */
  readonly maxWaitMs: number
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  /** Animals that a list showed. */
  pets: readonly JsonObject[]
}

/** A part of a run. Rejects with OutOfBudget. */
export interface Part {
  readonly name: string
  readonly act: (run: Run) => Promise<void>
  /** Makes animals. */
  readonly writes?: boolean
}

/** Makes a call that must get a status; answers what came if it did. */
export async function expectStatus(
  { service, ledger }: Run,
  request: CheckRequest,
  rule: Parameters<Ledger['expect']>[0],
  status: number,
): Promise<Seen | undefined> {
  const seen = await service.call(request)
  if (seen === undefined) return undefined
  ledger.expect(rule, seen, seen.status !== status && `the status is ${seen.status}, not ${status}`)
  return seen.status === status ? seen : undefined
}
