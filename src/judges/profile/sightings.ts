import type { Line } from '../../control/profile/profile.ts'
import type { SeenCall } from './seen-call.ts'

/** One observation of a setting's value. */
export interface Sighting {
  readonly value: unknown
  readonly call: SeenCall
}

/** A setting's path, and what was seen of it. */
export type Lines = Record<string, Line | undefined>

const minute = 60_000

/** A day in UTC: `2026-11-22`. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/**
 * The line of a setting from its observations in their order. A later value holds once it was seen in two minutes after all
 * others; before that, the line is contradicted. Undefined without observations.
 */
export function lineOf(
  sightings: readonly Sighting[],
  state: 'observed' | 'inferred' = 'observed',
): Line | undefined {
  const newest = sightings.at(-1)
  if (newest === undefined) return undefined
  const text = (value: unknown) => JSON.stringify(value)
  const isNewest = ({ value }: Sighting) => text(value) === text(newest.value)
  const other = sightings.findLast(one => !isNewest(one))
  const latest = other === undefined ? sightings : sightings.slice(sightings.lastIndexOf(other) + 1)
  const summary = summarize(latest)
  if (other === undefined || summary.windows > 1) return { value: newest.value, state, ...summary }
  const before = sightings.filter(({ value }) => text(value) === text(other.value))
  return {
    state: 'contradicted',
    ...summarize(sightings),
    values: [
      { value: other.value, ...summarize(before) },
      { value: newest.value, ...summarize(sightings.filter(isNewest)) },
    ],
  }
}

/** How often, when last, and in how many minutes. */
export function summarize(sightings: readonly Pick<Sighting, 'call'>[]) {
  const times = sightings.map(({ call }) => call.sentAt)
  return {
    seen: times.length,
    last: dayOf(Math.max(...times)),
    windows: new Set(times.map(time => Math.floor(time / minute))).size,
  }
}
