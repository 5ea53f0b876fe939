import type { TestContext } from 'vitest'
import type { Emulator, EmulatorOptions } from '../../../src/emulator/emulator.ts'
import type { Limit } from './limits.ts'
import type { TestReply, TestRequest } from './request.ts'

/** A way in, through which the one behaviour suite runs. */
export interface Door {
  readonly name: string
  /** How long a test may take, in milliseconds, where calls are slow. */
  readonly timeout?: number
  /** Why no client of this door can make a request. */
  readonly cannot: (request?: TestRequest) => Limit | undefined
  /** Called once while tests are collected; what it needs for all of them it sets up by hooks. */
  readonly start: () => OpenWay
}

/** Opens the door to an emulator, or skips the test with the reason when this machine cannot. */
export type OpenWay = (
  emulator: Emulator,
  context: Pick<TestContext, 'skip'>,
  /** What the emulator was created with. */
  options: Partial<EmulatorOptions>,
) => Promise<Way>

export interface Way {
  readonly host: string
  readonly send: (request?: TestRequest) => Promise<TestReply>
  readonly close: () => Promise<void>
}

/** What every door says of a reply that does not come whole: the words of Node's HTTP client. */
export const brokenAs: Readonly<Record<string, string>> = {
  reset: 'read ECONNRESET',
  empty: 'socket hang up',
  truncate: 'aborted',
}
