import { readClock } from '../../base/time/clock.ts'
import { formatInstant } from '../../base/time/instant.ts'
import type { World } from '../../emulator/worlds/world.ts'
import type { ClockFields } from '../../generated/scenario-fields.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'
import type { ScenarioFile } from '../scenario/file.ts'
import { scenario as fields } from '../scenario/settings/scenario.ts'
import { behaviourFields } from './behaviour-fields.ts'
import { keyFields, planFields } from './key-fields.ts'
import { petFields } from './pet-fields.ts'
import { eventFields, ruleFields } from './rule-fields.ts'

/**
 * A world's present state as a scenario, which starts where the world is. Open windows start anew at the first call of their
 * key, with the calls that are used. Undefined: it has too many pets that must be written out. `now`: the door's time.
 */
export function situationOf(world: World, now: number, fixtures: Fixtures): ScenarioFile | undefined {
  const { scenario, keys } = world
  const at = readClock(world.clock, now)
  const pets = petFields(world.pets, scenario, fixtures)
  if (pets === undefined) return undefined
  const rules = ruleFields(world, at)
  const events = eventFields(world, at)
  const file: ScenarioFile = {
    title: scenario.title,
    description: scenario.description,
    key: keys.has(scenario.key) ? scenario.key : undefined,
    seed: scenario.seed === fields.fields.seed.default ? undefined : scenario.seed,
    clock: clockFields(world, at, now),
    plans: planFields(world),
    keys: keyFields(world, at, fixtures),
    pets,
    rules: rules.length === 0 ? undefined : rules,
    events: events.length === 0 ? undefined : events,
    ...behaviourFields(scenario.behaviour),
  }
  return withoutUndefined(file)
}

/** A clock that shows real time needs no setting. */
function clockFields({ clock: { scale } }: World, at: number, now: number): ClockFields | undefined {
  if (scale === 0) return { at: formatInstant(at), frozen: true }
  if (scale !== 1) return { at: formatInstant(at), scale }
  return Math.abs(at - now) < 1_000 ? undefined : { at: formatInstant(at) }
}

function withoutUndefined<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutUndefined) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutUndefined(inner)])) as T
}
