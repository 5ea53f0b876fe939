import { toInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'
import { anyDuration, anyInstant, anyInt64, type Constraint } from '../../base/text/constraint.ts'
import { parseDuration } from '../../base/time/duration.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { callCounts, clockScales, keyNames } from '../../emulator/worlds/constraints.ts'
import { showValue } from '../files/show.ts'
import { type Refused, refuseCommand } from './intent.ts'

type Optional<T> = T | null | undefined

/** Reads the fields of a command and collects their problems. Commands of programs come here unchecked. */
export class FieldReader {
  readonly #problems: string[] = []

  get refused(): Refused | undefined {
    return this.#problems.length === 0 ? undefined : refuseCommand(...this.#problems)
  }

  duration(field: string, text: Optional<string>, constraint: Constraint = anyDuration): number | undefined {
    return this.#read(field, text, constraint, parseDuration)
  }

  instant(field: string, text: Optional<string>): number | undefined {
    return this.#read(field, text, anyInstant, parseInstant)
  }

  int64(field: string, value: Optional<Int64>): Int64 | undefined {
    return this.#read(field, value, anyInt64, toInt64)
  }

  scale(field: string, value: Optional<number>): number | undefined {
    return this.#read(field, value, clockScales, scale => scale)
  }

  count(field: string, value: Optional<number>, constraint: Constraint = callCounts): number | undefined {
    return this.#read(field, value, constraint, count => count)
  }

  keyText(field: string, text: string): void {
    this.#read(field, text, keyNames, key => key)
  }

  #read<From, To>(
    field: string,
    value: Optional<From>,
    { expected, accepts }: Constraint,
    parse: (value: From) => To | undefined,
  ): To | undefined {
    if (value === undefined || value === null) return undefined
    if (accepts(value)) return parse(value)
    this.#problems.push(`${field}: expected ${expected}, found ${showValue(value)}`)
    return undefined
  }
}
