import { readClock } from '../../base/time/clock.ts'
import { formatDuration } from '../../base/time/duration.ts'
import { formatInstant } from '../../base/time/instant.ts'
import type { Windows } from '../../service/limits/limiter.ts'
import type { World } from './world.ts'

/** How far clocks follow the door's time back, in milliseconds. */
const mostBackMs = 1_000

/**
 * Keeps clocks from going back with the system's clock, which would keep windows and bans for longer than they last.
 * Forward jumps are followed. After a step back of more than a second, clocks run on from where they were.
 */
export class Timekeeper {
  #latest: number
  readonly #worlds: Iterable<World>
  readonly #notice: (text: string) => void

  constructor(wall: number, worlds: Iterable<World>, notice: (text: string) => void) {
    this.#latest = wall
    this.#worlds = worlds
    this.#notice = notice
  }

  /** Takes note of the door's time now. A door must do so before a clock is read at that time. */
  note(wall: number): void {
    const before = this.#latest
    if (wall >= before) {
      this.#latest = wall
      return
    }
    if (before - wall <= mostBackMs) return
    this.#latest = wall
    let shown: number | undefined
    for (const world of this.#worlds) {
      const at = readClock(world.clock, before)
      world.clock = { at, wall, scale: world.clock.scale }
      if (world.clock.scale !== 0) shown ??= at
    }
    if (shown !== undefined) this.#report(`went back by ${roughly(before - wall)}`, shown)
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
    world.clock = { at: opened, wall, scale: world.clock.scale }
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
