import { type Clock, readClock, startClock } from '../../base/time/clock.ts'
import { formatInstant } from '../../base/time/instant.ts'
import { lastClockInstant } from '../../emulator/worlds/constraints.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { noStrikes } from '../../service/bans/ban.ts'
import type { Windows } from '../../service/limits/limiter.ts'
import { newWindow, type Window } from '../../service/limits/window.ts'
import type { ClockCommand, CommandOf } from './command.ts'
import { Values } from './field-reader.ts'
import { type Intent, refuseCommand } from './intent.ts'

export function changeClock(world: World, command: ClockCommand, now: number): Intent {
  const { clock } = world
  const at = readClock(clock, now)
  switch (command.do) {
    case 'freezeClock': {
      const values = new Values()
      const until = values.instant('at', command.at)
      if (values.problems.length > 0) return refuseCommand(...values.problems)
      return move(world, at, 'at', { at: until ?? at, wall: now, scale: 0 })
    }
    case 'advanceClock':
      return advance(world, command, at, now)
    case 'resumeClock': {
      const values = new Values()
      const scale = values.scale('scale', command.scale)
      if (values.problems.length > 0) return refuseCommand(...values.problems)
      return move(world, at, 'scale', { at, wall: now, scale: scale ?? 1 })
    }
    case 'resetClock':
      return reset(world, at, now)
  }
}

function advance(world: World, { by, to }: CommandOf<'advanceClock'>, at: number, now: number): Intent {
  const values = new Values()
  const length = values.duration('by', by)
  const until = values.instant('to', to)
  if (values.problems.length > 0) return refuseCommand(...values.problems)
  const { scale } = world.clock
  if (length !== undefined && until === undefined)
    return move(world, at, 'by', { at: at + length, wall: now, scale })
  if (until !== undefined && length === undefined)
    return move(world, at, 'to', { at: until, wall: now, scale })
  return refuseCommand('expected by, a duration, or to, an instant: one of the two')
}

function move(world: World, from: number, field: string, clock: Clock): Intent {
  if (clock.at < from) {
    const told = `the clock stands at ${formatInstant(from)}, and goes back only by a reset or a snapshot`
    return refuseCommand(`${field}: ${told}`)
  }
  if (clock.at > lastClockInstant)
    return refuseCommand(`${field}: the clock does not go beyond the year 9899`)
  return {
    act: () => {
      world.clock = clock
      return { clock }
    },
  }
}

function reset(world: World, from: number, now: number): Intent {
  return {
    act: () => {
      const clock = startClock(world.scenario.clock, now)
      world.clock = clock
      if (clock.at < from) forgetWhatLiesAhead(world, clock.at)
      return { clock }
    },
  }
}

/** A window that opens tomorrow would be full today; of a ban nobody knows when it began. */
function forgetWhatLiesAhead(world: World, at: number): void {
  for (const { windows, strikes } of world.keys.values()) {
    closeLater(windows, at)
    Object.assign(strikes, noStrikes())
  }
  for (const windows of world.anonymous.values()) closeLater(windows, at)
}

function closeLater(windows: Windows, at: number): void {
  const isLater = ({ opensAt }: Window) => opensAt !== undefined && opensAt > at
  if (isLater(windows.minute)) Object.assign(windows.minute, newWindow(0))
  if (isLater(windows.day)) Object.assign(windows.day, newWindow(0))
}
