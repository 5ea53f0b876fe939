import { toInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'
import {
  anyDuration,
  anyInstant,
  anyInt64,
  type Constraint,
  type NumberConstraint,
} from '../../base/text/constraint.ts'
import { parseDuration } from '../../base/time/duration.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { clockScales, keyNames } from '../../emulator/worlds/constraints.ts'
import type { Quota } from '../../service/plans/plan.ts'
import { showValue } from '../files/show.ts'
import type { WindowCounts } from './command.ts'

type Said<T> = T | null | undefined

/**
 * Reads what a command's fields say, and collects what is wrong with them. A command from outside has been through the
 * schema before; one that a program writes has not.
 */
export class Values {
  readonly problems: string[] = []

  duration(field: string, text: Said<string>, constraint: Constraint = anyDuration): number | undefined {
    return this.#read(field, text, constraint, parseDuration)
  }

  instant(field: string, text: Said<string>): number | undefined {
    return this.#read(field, text, anyInstant, parseInstant)
  }

  int64(field: string, value: Said<Int64>): Int64 | undefined {
    return this.#read(field, value, anyInt64, toInt64)
  }

  scale(field: string, value: Said<number>): number | undefined {
    return this.#read(field, value, clockScales, scale => scale)
  }

  count(field: string, value: Said<number>, constraint: NumberConstraint): number | undefined {
    return this.#read(field, value, constraint, count => count)
  }

  /** The counts that are said, and those of `base` where they are not. */
  counts(field: string, said: Said<WindowCounts>, base: Quota, constraint: NumberConstraint): Quota {
    return {
      minute: this.count(`${field}.minute`, said?.minute, constraint) ?? base.minute,
      day: this.count(`${field}.day`, said?.day, constraint) ?? base.day,
    }
  }

  keyText(field: string, text: string): void {
    this.#read(field, text, keyNames, key => key)
  }

  #read<From, To>(
    field: string,
    value: Said<From>,
    { expected, accepts }: Constraint,
    read: (value: From) => To | undefined,
  ): To | undefined {
    if (value === undefined || value === null) return undefined
    if (accepts(value)) return read(value)
    this.problems.push(`${field}: expected ${expected}, found ${showValue(value)}`)
    return undefined
  }
}
