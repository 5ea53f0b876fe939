import { showValue } from '../files/show.ts'
import { toInt64 } from '../json/int64.ts'
import type { Int64 } from '../json/value.ts'
import { isKeyText } from '../keys/key-text.ts'
import type { Quota } from '../plans/plan.ts'
import { parseDuration } from '../time/duration.ts'
import { parseInstant } from '../time/instant.ts'
import type { WindowCounts } from './command.ts'

type Said<T> = T | null | undefined

/**
 * Reads what a command's fields say, and collects what is wrong with them. A command from outside has been through the
 * schema before; one that a program writes has not.
 */
export class Values {
  readonly problems: string[] = []

  duration(field: string, text: Said<string>): number | undefined {
    return this.#read(field, text, 'a duration, such as 90s, 15m or 250ms', parseDuration)
  }

  instant(field: string, text: Said<string>): number | undefined {
    return this.#read(field, text, 'an instant, such as 2026-03-02T09:00:00Z', parseInstant)
  }

  int64(field: string, value: Said<Int64>): Int64 | undefined {
    return this.#read(field, value, 'a whole number of at most 64 bits (a bigint beyond 2^53)', toInt64)
  }

  scale(field: string, value: Said<number>): number | undefined {
    return this.#read(field, value, 'a number above 0 and up to 86400', scale =>
      scale > 0 && scale <= 86_400 ? scale : undefined,
    )
  }

  count(field: string, value: Said<number>, least: 0 | 1): number | undefined {
    return this.#read(field, value, `a whole number of calls (${least} or more)`, count =>
      Number.isSafeInteger(count) && count >= least ? count : undefined,
    )
  }

  /** The counts that are said, and those of `base` where they are not. */
  counts(field: string, said: Said<WindowCounts>, base: Quota, least: 0 | 1): Quota {
    return {
      minute: this.count(`${field}.minute`, said?.minute, least) ?? base.minute,
      day: this.count(`${field}.day`, said?.day, least) ?? base.day,
    }
  }

  keyText(field: string, text: string): void {
    this.#read(field, text, 'an API key (letters, digits and . _ ~ + / -)', key =>
      isKeyText(key) ? key : undefined,
    )
  }

  #read<From, To>(
    field: string,
    value: Said<From>,
    expected: string,
    read: (value: From) => To | undefined,
  ): To | undefined {
    if (value === undefined || value === null) return undefined
    const found = read(value)
    if (found === undefined) this.problems.push(`${field}: expected ${expected}, found ${showValue(value)}`)
    return found
  }
}
