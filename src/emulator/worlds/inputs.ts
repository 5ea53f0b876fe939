import type { Call, Reply } from '../../service/call/call.ts'
import type { Scenario } from './scenario.ts'
import type { World } from './world.ts'

/**
 * Hears of all that changes worlds from outside, in the order in which it takes effect. From the same start, the same inputs
 * give the same worlds and the same responses.
 */
export interface InputListener {
  /** A call reached an open area. Its response comes later. */
  readonly arrived: (call: Call) => void
  /**
   * `headers`: those of the call, as one list for all calls with the same ones. `world`: the one that has the call. `id`: that of
   * its exchange; undefined if the journal does not get it.
   */
  readonly answered: (
    call: Call,
    headers: readonly string[],
    reply: Reply,
    world: World,
    id: number | undefined,
  ) => void
  /** A command changed a sandbox; undefined: the default one, `*`: all. */
  readonly changed: (sandbox: string | undefined, command: { readonly do: string }, now: number) => void
  readonly adopted: (scenario: Scenario, wall: number) => void
  /** A contract replaced the one before. */
  readonly opened: () => void
  /** A door noted the time without a call. */
  readonly noted: (wall: number) => void
  /** The steady time, where an input needed it. That input comes next. */
  readonly readSteady: (ms: number) => void
}
