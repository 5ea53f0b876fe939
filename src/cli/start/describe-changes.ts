import { isDeepStrictEqual } from 'node:util'
import type { Behaviour, KeyStart, Scenario } from '../../emulator/worlds/scenario.ts'

/** What another scenario in the place of one changes, by the names that it has in files. */
export interface Changes {
  /** What holds in every sandbox at once. */
  readonly atOnce: readonly string[]
  /** What only decides how a sandbox starts. */
  readonly atStart: readonly string[]
}

/** Told of by hand, or nothing that a call could meet. */
const apart = [
  'name',
  'title',
  'description',
  'key',
  'keys',
  'behaviour',
  'clock',
  'pets',
  'seed',
  'reset',
] as const

export function findChanges(before: Scenario, after: Scenario): Changes {
  const keys = findKeyChanges(before.keys, after.keys)
  return {
    atOnce: [
      ...changedFields(rest(before), rest(after)),
      ...changedFields(before.behaviour, after.behaviour).map(nameInFiles),
      ...keys.atOnce,
    ],
    atStart: [
      ...(before.pets === after.pets ? [] : ['pets']),
      ...changedFields(before, after).filter(field => field === 'clock' || field === 'seed'),
      ...keys.atStart,
    ],
  }
}

function rest(scenario: Scenario): object {
  const others = Object.entries(scenario).filter(([field]) => !apart.some(name => name === field))
  return Object.fromEntries(others)
}

function nameInFiles(field: string): string {
  const setting: keyof Behaviour = 'defaultStatus'
  return field === setting ? 'pets.defaultStatus' : field
}

function findKeyChanges(before: Scenario['keys'], after: Scenario['keys']): Changes {
  const gone = [...before.keys()].filter(key => !after.has(key)).map(key => `keys.${key} (gone)`)
  const added = [...after.keys()].filter(key => !before.has(key)).map(key => `keys.${key} (new)`)
  const both = [...after].flatMap(([key, is]) => {
    const was = before.get(key)
    return was === undefined ? [] : [{ key, fields: changedFields(was, is) }]
  })
  const starts: readonly string[] = ['used', 'strikes', 'bannedForMs'] satisfies (keyof KeyStart)[]
  return {
    atOnce: [
      ...both
        .filter(({ fields }) => fields.some(field => !starts.includes(field)))
        .map(({ key }) => `keys.${key}`),
      ...added,
      ...gone,
    ],
    atStart: both
      .filter(({ fields }) => fields.some(field => starts.includes(field)))
      .map(({ key }) => `what keys.${key} starts with`),
  }
}

function changedFields<T extends object>(before: T, after: T): readonly string[] {
  const was = new Map(Object.entries(before))
  return Object.entries(after)
    .filter(([field, value]) => field !== 'pets' && !isDeepStrictEqual(value, was.get(field)))
    .map(([field]) => field)
}

/** One line that says what was read again and what it does. `reset`: all starts anew. */
export function tellChanges(files: readonly string[], { atOnce, atStart }: Changes, reset: boolean): string {
  if (reset) return `Read again: ${files.join(', ')}. Every sandbox starts anew, as \`reset: true\` says.`
  const parts = [
    ...(atOnce.length > 0 ? [`from now on: ${atOnce.join(', ')}`] : []),
    ...(atStart.length > 0 ? [`for sandboxes that no call has reached yet: ${atStart.join(', ')}`] : []),
  ]
  return `Read again: ${files.join(', ')}. ${parts.length > 0 ? `It holds ${parts.join('; ')}.` : 'Nothing that a call would meet has changed.'}`
}
