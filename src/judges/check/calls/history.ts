import type { CheckedCall } from './checked-call.ts'
import type { Standing } from './pace.ts'
import { hasKey } from './request.ts'

/** A response to the key under test, with its rate limit. */
export interface Counted {
  readonly call: CheckedCall
  /** When the response came, in this machine's epoch milliseconds. */
  readonly at: number
  readonly standing: Standing
  /** The kinds of calls without the key since the response before. */
  readonly strangers: readonly string[]
  /** Whether a response without readable headers came in between. */
  readonly isAfterGap: boolean
}

/** The responses to the key under test, in order. */
export class History {
  readonly all: Counted[] = []
  #strangers: string[] = []
  #isAfterGap = false

  add(call: CheckedCall, standing: Standing | undefined, at: number): void {
    if (!hasKey(call.request)) {
      this.#strangers.push(call.request.key === 'none' ? 'without a key' : 'with a wrong key')
      return
    }
    if (standing !== undefined)
      this.all.push({ call, at, standing, strangers: this.#strangers, isAfterGap: this.#isAfterGap })
    this.#isAfterGap = standing === undefined
    this.#strangers = []
  }
}
