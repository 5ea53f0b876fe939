import { isJsonObject } from '../../../base/json/is-object.ts'
import { readJson } from '../../../base/json/read.ts'
import type { JsonObject, JsonValue } from '../../../base/json/value.ts'
import { writeJson } from '../../../base/json/write.ts'
import type { WholeAnswer } from '../../walkthrough/target.ts'
import type { CheckId } from './checks.ts'
import type { Ledger } from './ledger.ts'
import type { CheckRequest } from './request.ts'

/** A request with its response. */
export interface CheckedCall extends WholeAnswer {
  readonly request: CheckRequest
  /** Undefined if the body is not JSON. */
  readonly json: JsonValue | undefined
  /** Records a check. `detail` says what was seen, as a sentence without its full stop. */
  readonly check: (id: CheckId, passes: boolean, detail: string) => void
  /** Leaves the outcome of a check open. `reason` is a sentence without its full stop. */
  readonly leaveOpen: (id: CheckId, reason: string) => void
}

export function checkedCall(request: CheckRequest, answer: WholeAnswer, ledger: Ledger): CheckedCall {
  const { status, text } = answer
  const reading = readJson(text)
  return {
    ...answer,
    request,
    json: 'value' in reading ? reading.value : undefined,
    leaveOpen: (id, reason) => ledger.leaveOpen(id, reason),
    check: (id, passes, detail) => ledger.record(id, { request, status }, passes ? undefined : detail),
  }
}

/** The animals of a list. */
export function petsOf({ json }: CheckedCall): readonly JsonObject[] {
  return Array.isArray(json) ? json.filter(isJsonObject) : []
}

/** The ids of a list, as texts. */
export function idsOf(call: CheckedCall): readonly string[] {
  return petsOf(call).map(({ id }) => show(id))
}

export function petOf({ json }: CheckedCall): JsonObject | undefined {
  return isJsonObject(json) ? json : undefined
}

export function show(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  return typeof value === 'string' ? `“${value}”` : writeJson(value)
}
