import type { ProblemCode } from '../../service/call/problems.ts'

export const ownErrorCodes = [
  'invalid_scenario',
  'invalid_openapi',
  'invalid_profile',
  'missing_globals',
  'timed_out',
  'finding_missing',
  'assumed_settings',
  'unreachable',
  'cannot_listen',
  'cannot_write',
] as const

/**
 * The codes of the admin plane, such as `invalid_command` and `not_found`, and those of the library. `cannot_listen`
 * has Node's system error as its `cause`.
 */
export type PetMockErrorCode = ProblemCode | (typeof ownErrorCodes)[number]

/** Every error that the library throws. The message says what is wrong and what to do. */
export class PetMockError extends Error {
  override readonly name = 'PetMockError'
  readonly code: PetMockErrorCode

  constructor(code: PetMockErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
