import type { Constraint } from '../../../base/text/constraint.ts'
import { type Path, showValue } from '../../files/show.ts'
import type { Objection } from './objection.ts'

/** What is wrong with one value of a scenario that is written as an object; nothing, when it is not there. */
export function check(path: Path, value: unknown, { expected, accepts }: Constraint): readonly Objection[] {
  if (value === undefined || value === null || accepts(value)) return []
  return [{ path, message: `expected ${expected}, found ${showValue(value)}${hint(value)}` }]
}

/** What is wrong with the last name of a path. */
export function checkName(path: Path, { expected, accepts }: Constraint): readonly Objection[] {
  return accepts(path.at(-1)) ? [] : [{ path, message: `expected ${expected} as its name` }]
}

/** No file can say this: a file's numbers are read digit by digit. */
function hint(value: unknown): string {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return ''
  return ' (a number beyond 2^53 is not exact; an id may be a bigint)'
}
