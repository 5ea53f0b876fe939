import { groupDigits } from '../../base/text/quantities.ts'
import type { ClockState } from '../../library/client/controls.ts'
import { formatPace } from '../terminal/quantities.ts'
import { cell, tableLines } from '../terminal/table.ts'
import type { Session } from './session.ts'

interface Sandboxes {
  readonly sandboxes: readonly {
    readonly name: string
    readonly scenario: string
    readonly clock: ClockState
    readonly pets: number
    readonly keys: number
  }[]
}

/** Prints a line for each changed sandbox. `done`: what the command did to it, such as `reset`. */
export function printSandboxes({ print, paint }: Session, done: string, answer: Sandboxes): void {
  print(answer, ({ sandboxes }) =>
    tableLines(
      sandboxes.map(({ name, scenario, clock, pets, keys }) => [
        cell(done, { style: 'green' }),
        cell(name, { style: 'bold' }),
        cell(scenario),
        cell(`${groupDigits(pets)} pets`, { atRight: true }),
        cell(`${groupDigits(keys)} keys`, { atRight: true }),
        cell(`${clock.at}, ${formatPace(clock)}`, { style: 'dim' }),
      ]),
      paint,
    ),
  )
}
