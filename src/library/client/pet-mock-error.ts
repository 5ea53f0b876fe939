import type { ProblemCode } from '../../service/call/problems.ts'

/**
 * `invalid_command`, `not_found` and the other codes of the admin plane; `invalid_scenario`: a scenario cannot be;
 * `invalid_openapi`: a contract cannot be; `timed_out`: what was waited for did not come; `unreachable`: no pet-mock answers; `cannot_listen`: an address is
 * not to be had, and `cause` is Node's system error.
 */
export type PetMockErrorCode =
  | ProblemCode
  | 'invalid_scenario'
  | 'invalid_openapi'
  | 'timed_out'
  | 'unreachable'
  | 'cannot_listen'

/** What the library throws when something cannot be done; the message says what was wrong and what would be right. */
export class PetMockError extends Error {
  override readonly name = 'PetMockError'
  readonly code: PetMockErrorCode

  constructor(code: PetMockErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
