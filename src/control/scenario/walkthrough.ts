import type { JsonValue } from '../../base/json/value.ts'
import type { Failure } from '../../service/call/fault.ts'
import type { Command } from '../change/command.ts'
import type { RuleFields, ScenarioFile } from './file.ts'

/** One step of a client's story: a call, time that passes, a change from outside, or only a word about it. */
export type Step = CallStep | AdvanceStep | ChangeStep | NoteStep

export interface CallStep {
  /** Method and target: `GET /v1/pets?limit=5`. */
  readonly call: string
  /** Default: the scenario's key; null: none. */
  readonly key?: string | null | undefined
  readonly headers?: Readonly<Record<string, string | number>> | undefined
  /** A text is sent as it stands, anything else as JSON; either as `application/json`, unless `headers` say otherwise. */
  readonly body?: JsonValue | undefined
  /** The call is made so many times, one after the other. */
  readonly repeat?: number | undefined
  /** The call is made so many times at once. */
  readonly parallel?: number | undefined
  readonly expect?: Expectation | undefined
  readonly note?: string | undefined
}

export interface AdvanceStep {
  /** A duration. */
  readonly advance: string
  readonly note?: string | undefined
}

export interface ChangeStep {
  readonly change: Command<ScenarioFile, RuleFields>
  readonly note?: string | undefined
}

export interface NoteStep {
  readonly note: string
}

/** What an answer must be. Of calls that are repeated, `status` is of each, and the rest of the last one. */
export interface Expectation {
  readonly status?: number | undefined
  /** How many answers of each status; there are no others. */
  readonly statuses?: Readonly<Record<string, number>> | undefined
  /** A number is the header's text; true: any value; null: the header is not there. */
  readonly headers?: Readonly<Record<string, HeaderExpectation>> | undefined
  /** What the body holds at least: see `bodyDifferences`. */
  readonly body?: JsonValue | undefined
  /** How many items the list in the body has. */
  readonly length?: number | undefined
  /** There is no whole answer, in this way. */
  readonly fails?: Failure | undefined
}

export type HeaderExpectation = string | number | true | null

/** How often a step makes its call. */
export function timesOf({ repeat, parallel }: CallStep): number {
  return parallel ?? repeat ?? 1
}
