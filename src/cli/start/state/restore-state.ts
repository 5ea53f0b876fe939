import { resolve } from 'node:path'
import { restoreSandboxes } from '../../../control/snapshot/restore.ts'
import type { SandboxesSnapshot } from '../../../control/snapshot/saved.ts'
import type { Sandboxes } from '../../../emulator/worlds/sandboxes.ts'
import type { serveFlags } from '../../arguments/serve-flags.ts'
import type { ServeFlagValues } from '../load/load-scenario.ts'

export interface Restored {
  /** In a line, what was restored and what became of the flags. */
  readonly text: string
  /** Whether the scenario that the flags ask for is the one that is run. */
  readonly isAsAsked: boolean
  /** Whether all is as it was saved. */
  readonly isAsSaved: boolean
}

/** The flags that say how a world starts. */
const situation = [
  'scenario',
  'fixtures',
  'pets',
  'seed',
  'clock',
  'key',
  'watch',
] as const satisfies (keyof typeof serveFlags)[]

/**
 * Puts saved sandboxes in the place of those that the flags have made. What was saved goes before the flags; but where
 * it ran the scenario that they name, which says other things now, that is adopted as `--watch` would adopt it.
 */
export function restoreState(
  name: string,
  snapshot: SandboxesSnapshot,
  sandboxes: Sandboxes,
  { given, sources }: Pick<ServeFlagValues, 'given' | 'sources'>,
  now: number,
): Restored {
  const asked = sandboxes.scenario
  const [scenario, worlds, dropped] = restoreSandboxes(snapshot, [asked])
  sandboxes.replaceAll(scenario, worlds, dropped)
  const pets = sandboxes.default.pets.size
  const others = worlds.length - 1
  const what = `${scenario.name}, ${count(pets, 'pet', 'pets')}${others === 0 ? '' : `, ${count(others, 'more sandbox', 'more sandboxes')}`}`
  const text = `Restored from ${name}: ${what}.`
  if (scenario === asked) return { text, isAsAsked: true, isAsSaved: true }
  const said = situation.filter(flag => given.has(flag))
  if (said.length > 0 && resolve(scenario.name) === resolve(asked.name)) {
    sandboxes.adopt(asked, now)
    const how = asked.reset
      ? `${asked.name} says something else now, and reset: true, so everything starts anew.`
      : `${asked.name} says something else now: its settings, plans, keys and rules hold; pets, counts and the clock go on.`
    return { text: `${text} ${how}`, isAsAsked: true, isAsSaved: false }
  }
  const unused = said.map(flag => sources[flag]).join(', ')
  const how = unused === '' ? '' : ` Not used: ${unused}. Without ${name} they would be.`
  return { text: `${text}${how}`, isAsAsked: false, isAsSaved: true }
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}
