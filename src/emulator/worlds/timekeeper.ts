import { readClock } from '../../base/time/clock.ts'
import { formatDuration } from '../../base/time/duration.ts'
import { formatInstant } from '../../base/time/instant.ts'
import type { Windows } from '../../service/limits/limiter.ts'
import type { World } from './world.ts'

/** How far clocks follow the door's time back, in milliseconds. */
const mostBackMs = 1_000

/**
 * Keeps clocks from going back with the system's clock, which would keep windows and bans for longer than they last.
 * Forward jumps are followed. After a step back of more than a second, clocks run on from where they were, until a jump
 * forward ends at the time that would have come without the step.
 */
export class Timekeeper {
  #latest: number
  /** Since the system's clock went back: its time less the steady time. */
  #wentBackTo: number | undefined
  readonly #worlds: Iterable<World>
  readonly #notice: (text: string) => void
  readonly #steady: (() => number) | undefined

  /** `steady`: milliseconds that no change of the system's clock affects. Without it, no return of that clock is seen. */
  constructor(wall: number, worlds: Iterable<World>, notice: (text: string) => void, steady?: () => number) {
    this.#latest = wall
    this.#worlds = worlds
    this.#notice = notice
    this.#steady = steady
  }

  /** What a box keeps of it. The second value is undefined unless the system's clock went back. */
  get state(): readonly [latest: number, wentBackTo: number | undefined] {
    return [this.#latest, this.#wentBackTo]
  }

  set state([latest, wentBackTo]) {
    this.#latest = latest
    this.#wentBackTo = wentBackTo
  }

  /** Takes note of the door's time now. A door must do so before a clock is read at that time. */
  note(wall: number): void {
    const before = this.#latest
    if (wall >= before) {
      this.#latest = wall
      if (this.#wentBackTo !== undefined) this.#returnWith(wall, before, this.#wentBackTo)
      return
    }
    if (before - wall <= mostBackMs) return
    this.#latest = wall
    let shown: number | undefined
    for (const world of this.#worlds) {
      const at = readClock(world.clock, before)
      world.clock = { ...world.clock, at, wall }
      world.aheadMs += before - wall
      if (world.clock.scale !== 0) shown ??= at
    }
    if (this.#steady !== undefined) this.#wentBackTo ??= wall - this.#steady()
    if (shown !== undefined) this.#report(`went back by ${roughly(before - wall)}`, shown)
  }

  /** Takes back what a step back gave to clocks, once the system's clock jumped as far forward. */
  #returnWith(wall: number, before: number, wentBackTo: number): void {
    const jump = wall - (this.#steady?.() ?? wall) - wentBackTo
    if (jump <= mostBackMs) return
    let isAhead = false
    let shown: number | undefined
    for (const world of this.#worlds) {
      const { clock, aheadMs } = world
      if (aheadMs === 0 || jump < aheadMs - mostBackMs) {
        isAhead ||= aheadMs > 0
        continue
      }
      // No clock goes back: some of the jump may have been followed before.
      const at = Math.max(readClock(clock, before), readClock(clock, wall - aheadMs))
      world.clock = { ...clock, at, wall }
      world.aheadMs = 0
      if (clock.scale !== 0) shown ??= at
    }
    if (!isAhead) this.#wentBackTo = undefined
    if (shown !== undefined)
      this.#notice(
        `The system's clock returned. The clock of pet-mock follows it from ${formatInstant(shown)}.`,
      )
  }

  /**
   * The time on the clock of a world, which runs on from the caller's windows if they open later. Such windows come from a
   * machine whose clock is ahead.
   */
  read(world: World, windows: Windows | undefined, wall: number): number {
    const at = readClock(world.clock, wall)
    if (windows === undefined) return at
    const opened = Math.max(windows.minute.opensAt ?? at, windows.day.opensAt ?? at)
    if (opened - at <= mostBackMs) return at
    world.clock = { ...world.clock, at: opened, wall }
    this.#report(`is ${roughly(opened - at)} behind a window of pet-mock`, opened)
    return opened
  }

  #report(what: string, at: number): void {
    const command = "pet-mock clock reset --sandbox '*'"
    const text = `The clock of pet-mock runs on from ${formatInstant(at)}.`
    this.#notice(`The system's clock ${what}. ${text} To follow the system's clock again: ${command}`)
  }
}

/** To the minute, or to the second below ten minutes. */
function roughly(ms: number): string {
  const grain = ms < 600_000 ? 1_000 : 60_000
  return formatDuration(Math.round(ms / grain) * grain)
}
