import { type Clock, lastClockInstant, readClock, startClock } from '../../base/time/clock.ts'
import { parseDuration } from '../../base/time/duration.ts'
import { formatInstant, parseInstant } from '../../base/time/instant.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { noStrikes } from '../../service/bans/ban.ts'
import { newWindow, type Windows, windowNames } from '../../service/limits/limiter.ts'
import type { CommandOf } from '../scenario/file.ts'
import { type Intent, refuseCommand } from './intent.ts'

type ClockCommand = CommandOf<'freezeClock' | 'advanceClock' | 'resumeClock' | 'resetClock'>

export function changeClock(world: World, command: ClockCommand, now: number): Intent {
  const at = readClock(world.clock, now)
  const setClock = (field: string, to: number, scale: number) =>
    moveForward(world, at, field, { at: to, wall: now, scale }, now)
  switch (command.do) {
    case 'freezeClock':
      return setClock('at', parseInstant(command.at ?? '') ?? at, 0)
    case 'advanceClock': {
      const by = parseDuration(command.by ?? '')
      if (by === undefined) return setClock('to', parseInstant(command.to ?? '') ?? at, world.clock.scale)
      // Reading the clock rounds it: many small steps would slow down or speed up a scaled one.
      const { clock } = world
      return moveForward(world, at, 'by', { at: clock.at + by, wall: clock.wall, scale: clock.scale }, now)
    }
    case 'resumeClock': {
      const scale = command.scale ?? 1
      return scale === world.clock.scale ? () => ({ clock: world.clock }) : setClock('scale', at, scale)
    }
    case 'resetClock':
      return () => {
        const clock = startClock(world.scenario.clock, now)
        world.clock = clock
        world.aheadMs = 0
        if (clock.at < at) {
          forgetFuture(world, clock.at)
          world.rules.moveBack(at - clock.at, clock.at)
          world.events.moveBack(at - clock.at, clock.at)
        }
        return { clock }
      }
  }
}

/** `from`: what the clock shows. `now`: the door's time. */
function moveForward(world: World, from: number, field: string, clock: Clock, now: number): Intent {
  const to = clock.at + (now - clock.wall) * clock.scale
  // The clock is read in whole milliseconds.
  if (Math.round(to) < from) {
    const instant = formatInstant(from)
    return refuseCommand(`${field}: the clock is at ${instant}; only a reset or a snapshot moves it back`)
  }
  if (to > lastClockInstant) return refuseCommand(`${field}: the clock cannot move beyond the year 9899`)
  return () => {
    world.clock = clock
    return { clock }
  }
}

/** Closes windows that open after `at`. Bans and strikes end too, because their start is not recorded. */
function forgetFuture(world: World, at: number): void {
  for (const { windows, strikes } of world.keys.values()) {
    closeLater(windows, at)
    Object.assign(strikes, noStrikes())
  }
  for (const windows of world.anonymous.values()) closeLater(windows, at)
}

function closeLater(windows: Windows, at: number): void {
  for (const name of windowNames) {
    const { opensAt } = windows[name]
    if (opensAt !== undefined && opensAt > at) Object.assign(windows[name], newWindow(0))
  }
}
