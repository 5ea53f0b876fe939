import type { Judge } from '../../contract/judge.ts'
import type { Answer } from '../../walkthrough/target.ts'
import type { CheckRequest } from '../calls/request.ts'

export interface CheckOptions {
  /** Sends a request; rejects if the service cannot be reached at all. */
  readonly send: (request: CheckRequest) => Promise<Answer>
  readonly judge: Judge
  readonly plan: string
  /** The path of the base URL, in front of every target. */
  readonly basePath: string
  readonly maxCalls: number
  /** The longest wait for a window to reset, in milliseconds. */
  readonly maxWaitMs: number
  /** Whether the run may create animals, which the API cannot delete. */
  readonly allowsWrites: boolean
  /** Whether the run uses up the quota of a minute. */
  readonly exhausts: boolean
  readonly seed: number
  /** This machine's time, in epoch milliseconds. */
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  readonly onCall: (calls: number) => void
}
