import type { Clock } from '../../base/time/clock.ts'
import type { RuleStatus } from '../../emulator/rules/rule-book.ts'
import type { Key } from '../../service/keys/key.ts'
import type { Pet } from '../../service/pets/pet.ts'

/** Why a command was not done. Nothing of it was. */
export interface Refusal {
  readonly code: 'invalid_command' | 'not_found'
  /** A sentence. */
  readonly message: string
}

/** What a command has changed, in the sandboxes that it names; of several, as it stands in the last. */
export interface Changed {
  readonly sandboxes: readonly string[]
  readonly clock?: Clock
  /** As it stands, or, deleted, as it stood. */
  readonly key?: Key
  readonly pet?: Pet
  /** Removed, as it stood. */
  readonly rule?: RuleStatus
}

/** A change that can be made: nothing is done before `act`, and `act` cannot fail. */
export type Intent = { readonly act: () => Omit<Changed, 'sandboxes'> } | { readonly refusal: Refusal }

export function refuseCommand(...problems: readonly string[]): { readonly refusal: Refusal } {
  return { refusal: { code: 'invalid_command', message: sentence(problems.join('; ')) } }
}

export function notFound(message: string): { readonly refusal: Refusal } {
  return { refusal: { code: 'not_found', message: sentence(message) } }
}

function sentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`
}
