import { type Clock, readClock, startClock } from '../../base/time/clock.ts'
import { parseDuration } from '../../base/time/duration.ts'
import { formatInstant, parseInstant } from '../../base/time/instant.ts'
import { lastClockInstant } from '../../emulator/worlds/constraints.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { noStrikes } from '../../service/bans/ban.ts'
import type { Windows } from '../../service/limits/limiter.ts'
import { newWindow, windowNames } from '../../service/limits/window.ts'
import type { CommandOf } from '../scenario/file.ts'
import { type Intent, refuseCommand } from './intent.ts'

type ClockCommand = CommandOf<'freezeClock' | 'advanceClock' | 'resumeClock' | 'resetClock'>

export function changeClock(world: World, command: ClockCommand, now: number): Intent {
  const at = readClock(world.clock, now)
  const setClock = (field: string, to: number, scale: number) =>
    moveForward(world, at, field, { at: to, wall: now, scale })
  switch (command.do) {
    case 'freezeClock':
      return setClock('at', parseInstant(command.at ?? '') ?? at, 0)
    case 'advanceClock': {
      const by = parseDuration(command.by ?? '')
      const to = by === undefined ? parseInstant(command.to ?? '') : at + by
      return setClock(by === undefined ? 'to' : 'by', to ?? at, world.clock.scale)
    }
    case 'resumeClock':
      return setClock('scale', at, command.scale ?? 1)
    case 'resetClock':
      return () => {
        const clock = startClock(world.scenario.clock, now)
        world.clock = clock
        if (clock.at < at) forgetFuture(world, clock.at)
        return { clock }
      }
  }
}

function moveForward(world: World, from: number, field: string, clock: Clock): Intent {
  if (clock.at < from) {
    const instant = formatInstant(from)
    return refuseCommand(`${field}: the clock is at ${instant}; only a reset or a snapshot moves it back`)
  }
  if (clock.at > lastClockInstant)
    return refuseCommand(`${field}: the clock cannot move beyond the year 9899`)
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
