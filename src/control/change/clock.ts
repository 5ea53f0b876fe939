import { type Clock, readClock, startClock } from '../../base/time/clock.ts'
import { formatInstant } from '../../base/time/instant.ts'
import { lastClockInstant } from '../../emulator/worlds/constraints.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { noStrikes } from '../../service/bans/ban.ts'
import type { Windows } from '../../service/limits/limiter.ts'
import { newWindow, windowNames } from '../../service/limits/window.ts'
import type { ClockCommand } from './command.ts'
import { FieldReader } from './field-reader.ts'
import { type Intent, refuseCommand } from './intent.ts'

export function changeClock(world: World, command: ClockCommand, now: number): Intent {
  const at = readClock(world.clock, now)
  const fields = new FieldReader()
  const setClock = (field: string, to: number, scale: number): Intent =>
    fields.refused ?? moveForward(world, at, field, { at: to, wall: now, scale })
  switch (command.do) {
    case 'freezeClock':
      return setClock('at', fields.instant('at', command.at) ?? at, 0)
    case 'advanceClock': {
      const by = fields.duration('by', command.by)
      const to = fields.instant('to', command.to)
      if (fields.refused === undefined && (by === undefined) === (to === undefined))
        return refuseCommand('expected either by, a duration, or to, an instant')
      return setClock(by === undefined ? 'to' : 'by', to ?? at + (by ?? 0), world.clock.scale)
    }
    case 'resumeClock':
      return setClock('scale', at, fields.scale('scale', command.scale) ?? 1)
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
