import { readClock } from '../../base/time/clock.ts'
import type { EventCommand } from '../../generated/scenario-fields.ts'
import type { ScenarioEvent } from './scenario.ts'
import type { World } from './world.ts'

/** Carries out the change of an event. A text says why it cannot. `wall`: the door's time now. */
export type RunEvent = (world: World, change: EventCommand, wall: number) => string | undefined

/** Runs the events that happen before a call of a key. Returns those that happened, in their order. */
export function runEvents(
  world: World,
  key: string | undefined,
  wall: number,
  run: RunEvent | undefined,
  onNotice: (text: string) => void,
): readonly ScenarioEvent[] {
  const due = world.events.take(key, readClock(world.clock, wall))
  return due.filter(event => {
    if (run === undefined) throw new RangeError('This emulator cannot carry out the events of a scenario.')
    const refusal = run(world, event.change, wall)
    if (refusal !== undefined) onNotice(`The event ${nameEvent(event)} did not happen: ${refusal}`)
    return refusal === undefined
  })
}

/** The command of an event and what it changes, such as `changeKey demo-free`. */
export function nameEvent({ change }: ScenarioEvent): string {
  const what = 'key' in change ? change.key : 'id' in change ? `${change.id}` : undefined
  return what === undefined ? change.do : `${change.do} ${what}`
}
