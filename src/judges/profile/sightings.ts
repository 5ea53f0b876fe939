import type { Line } from '../../emulator/worlds/scenario.ts'
import type { SeenCall } from './seen-call.ts'

/** One observation of a setting's value. */
export interface Sighting {
  readonly value: unknown
  readonly call: SeenCall
}

/** The value of a sighting that no value of the setting describes: what it is, without words of the service. */
export class Other extends String {}

/** Lines by the paths of settings. */
export type Lines = Readonly<Record<string, Line | undefined>>

/** What each call shows; undefined: nothing. */
export function see(calls: readonly SeenCall[], show: (call: SeenCall) => unknown): readonly Sighting[] {
  return calls.map(call => ({ call, value: show(call) })).filter(({ value }) => value !== undefined)
}

/**
 * The line of a setting from its observations in their order. A later value holds once it was seen in two minutes after all
 * others; before that, the line is contradicted. Undefined with fewer than `least` observations. One observation of `Other` is
 * enough: no value describes such a service.
 */
export function lineOf(
  sightings: readonly Sighting[],
  least = 1,
  state: Line['state'] = 'observed',
): Line | undefined {
  const newest = sightings.at(-1)
  if (newest === undefined || sightings.length < least) return undefined
  const odd = sightings.filter(({ value }) => value instanceof Other)
  const shows = [...new Set(odd.map(({ value }) => `${value}`))].sort().join(', ')
  if (odd.length > 0) return { shows, state: 'other', ...summarize(odd) }
  const isOf = (one: Sighting) => (other: Sighting) =>
    JSON.stringify(one.value) === JSON.stringify(other.value)
  const isNewest = isOf(newest)
  const other = sightings.findLast(one => !isNewest(one))
  const latest = other === undefined ? sightings : sightings.slice(sightings.lastIndexOf(other) + 1)
  const summary = summarize(latest)
  if (other === undefined || summary.windows > 1) return { value: newest.value, state, ...summary }
  const values = [other, newest].map(one => ({ value: one.value, ...summarize(sightings.filter(isOf(one))) }))
  return { state: 'contradicted', ...summarize(sightings), values }
}

/** How often, on which day of UTC last, and in how many minutes. */
export function summarize(sightings: readonly Pick<Sighting, 'call'>[]) {
  const times = sightings.map(({ call }) => call.sentAt)
  const minutes = new Set(times.map(time => Math.floor(time / 60_000)))
  return {
    seen: times.length,
    last: new Date(times.at(-1) ?? 0).toISOString().slice(0, 10),
    windows: minutes.size,
  }
}
