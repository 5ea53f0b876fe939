import type { Breach } from '../../emulator/journal/breach.ts'

/** What the contract says of an exchange. */
export interface Judgement {
  /** The operation's id; undefined when no operation is on this path by this method. */
  readonly operation: string | undefined
  /** Whether the operation documents this status. Else only the body of an error is judged. */
  readonly isDocumented: boolean
  readonly breaches: readonly Breach[]
}

/** An operation of the contract, as far as others need to know it. */
export interface ContractOperation {
  readonly id: string
  /** In upper case. */
  readonly method: string
  readonly path: string
  /** As they are written there: `200`, `4XX`, `default`. */
  readonly statuses: readonly string[]
  readonly isDeprecated: boolean
}
