import type { Call } from '../../service/call/call.ts'
import type { Target } from '../../service/call/target.ts'
import type { Key } from '../../service/keys/key.ts'
import type { Counted } from '../gates/limit-gate.ts'
import type { Caller } from './caller.ts'
import type { OpenAreas } from './open-areas.ts'
import type { Operation } from './routes.ts'
import type { World } from './world.ts'

/** A call in the world where it is booked, at one instant of that world's clock. */
export interface Visit {
  readonly call: Call
  readonly target: Target
  readonly world: World
  readonly caller: Caller
  /** The key that the call shows, if the world knows it; it may be revoked or expired. */
  readonly key: Key | undefined
  /** Milliseconds since the epoch in the emulator's time: the clock is read once per call. */
  readonly at: number
  /** What is served beside the emulated operations, if anything is. */
  readonly areas: OpenAreas | undefined
  /** Scheme and authority for absolute links; empty when the call names no host. */
  readonly origin: string
  /** What the gates have found out so far: a failure of pet-mock itself further on is told with it (A20). */
  counted: Counted | undefined
  reached: Operation | undefined
}
