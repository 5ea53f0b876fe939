import type { Clock } from '../../base/time/clock.ts'
import type { RuleStatus } from '../../emulator/rules/rule-book.ts'
import type { Key } from '../../service/keys/key.ts'
import type { Pet } from '../../service/pets/pet.ts'
import type { Problems } from '../fields/problem.ts'
import { about } from '../files/show.ts'

export interface Refusal {
  readonly code: 'invalid_command' | 'not_found'
  readonly message: string
}

/** What a command changed. With several sandboxes, the values are those of the last one. */
export interface Changed {
  readonly sandboxes: readonly string[]
  readonly clock?: Clock
  /** A deleted key, pet or rule is as it was before. */
  readonly key?: Key
  readonly pet?: Pet
  readonly rule?: RuleStatus
}

export interface Refused {
  readonly refusal: Refusal
}

/** A checked change that is not made yet, and cannot fail, or the reason to refuse it. */
export type Intent = (() => Omit<Changed, 'sandboxes'> | undefined) | Refused

export function refuseCommand(...problems: readonly string[]): Refused {
  return { refusal: { code: 'invalid_command', message: sentence(problems.join('; ')) } }
}

export function refuseField(field: string, problems: Problems): Refused {
  return refuseCommand(...problems.map(({ path, message }) => about([field, ...path], message)))
}

export function notFound(message: string): Refused {
  return { refusal: { code: 'not_found', message: sentence(message) } }
}

function sentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`
}
