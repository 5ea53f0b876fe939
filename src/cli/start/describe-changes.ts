import { isDeepStrictEqual } from 'node:util'
import type { Behaviour, KeyStart, Scenario } from '../../emulator/worlds/scenario.ts'

/** The differences between two scenarios, by field name as in scenario files. */
export interface Changes {
  /** Applied in every sandbox at once. */
  readonly atOnce: readonly string[]
  /** Applied only where a sandbox starts. */
  readonly atStart: readonly string[]
}

/** These have no effect on calls, or are compared on their own. */
const notCompared: readonly string[] = [
  'name',
  'title',
  'description',
  'key',
  'reset',
  'keys',
  'behaviour',
] satisfies (keyof Scenario)[]

const startFields: readonly string[] = ['pets', 'clock', 'seed'] satisfies (keyof Scenario)[]

export function findChanges(before: Scenario, after: Scenario): Changes {
  const fields = changedFields(before, after).filter(field => !notCompared.includes(field))
  const keys = findKeyChanges(before.keys, after.keys)
  return {
    atOnce: [
      ...fields.filter(field => !startFields.includes(field)),
      ...changedFields(before.behaviour, after.behaviour).map(nameInFiles),
      ...keys.atOnce,
    ],
    atStart: [...fields.filter(field => startFields.includes(field)), ...keys.atStart],
  }
}

function nameInFiles(field: string): string {
  const setting: keyof Behaviour = 'defaultStatus'
  return field === setting ? 'pets.defaultStatus' : field
}

const keyStartFields: readonly string[] = ['used', 'strikes', 'bannedForMs'] satisfies (keyof KeyStart)[]

function findKeyChanges(before: Scenario['keys'], after: Scenario['keys']): Changes {
  const changed = [...after].flatMap(([key, is]) => {
    const was = before.get(key)
    return was === undefined ? [] : [{ key, fields: changedFields(was, is) }]
  })
  const keysWhere = (condition: (field: string) => boolean) =>
    changed.filter(({ fields }) => fields.some(condition)).map(({ key }) => `keys.${key}`)
  const added = [...after.keys()].filter(key => !before.has(key))
  const removed = [...before.keys()].filter(key => !after.has(key))
  return {
    atOnce: [
      ...keysWhere(field => !keyStartFields.includes(field)),
      ...added.map(key => `keys.${key} (new)`),
      ...removed.map(key => `keys.${key} (removed)`),
    ],
    atStart: keysWhere(field => keyStartFields.includes(field)).map(key => `${key} (initial state)`),
  }
}

function changedFields<T extends object>(before: T, after: T): readonly string[] {
  const was = new Map(Object.entries(before))
  return Object.entries(after)
    .filter(([field, value]) => !isSame(field, value, was.get(field)))
    .map(([field]) => field)
}

/** Pets are shared unless they changed, and may be too many to compare. */
function isSame(field: string, before: unknown, after: unknown): boolean {
  return field === 'pets' ? before === after : isDeepStrictEqual(before, after)
}

/** One line for the user about reloaded files. */
export function formatChanges(
  files: readonly string[],
  { atOnce, atStart }: Changes,
  reset: boolean,
): string {
  const reloaded = `Reloaded ${files.join(', ')}.`
  if (reset) return `${reloaded} Every sandbox starts over, because of \`reset: true\`.`
  if (atOnce.length + atStart.length === 0) return `${reloaded} Nothing changes for calls.`
  return [
    reloaded,
    ...(atOnce.length > 0 ? [`Applied now: ${atOnce.join(', ')}.`] : []),
    ...(atStart.length > 0 ? [`Applied only in sandboxes without calls: ${atStart.join(', ')}.`] : []),
  ].join(' ')
}
