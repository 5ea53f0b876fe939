import { parseDuration } from '../../base/time/duration.ts'
import type { Line, Profile, Sighting } from '../../emulator/worlds/scenario.ts'
import { isLatency, linePaths } from './assumed.ts'

/** A value counts as confirmed when it was seen in this many windows. */
const confirmed = 2

/** Adds what was learned now. `now` must be of the same service. */
export function mergeProfiles(before: Profile | undefined, now: Profile): Profile {
  const learned = Object.fromEntries(
    linePaths.flatMap(path => {
      const line = mergeLines(path, before?.learned[path], now.learned[path])
      return line === undefined ? [] : [[path, line]]
    }),
  )
  const unknown = linePaths.filter(path => !isLatency(path) && learned[path] === undefined)
  return { profile: 1, service: now.service, learned, unknown }
}

function mergeLines(path: string, before: Line | undefined, now: Line | undefined): Line | undefined {
  if (before === undefined || now === undefined) return now ?? before
  const newer = before.last > now.last ? before : now
  if (isLatency(path)) return newer
  const { last } = newer
  const seen = before.seen + now.seen
  if (now.state === 'contradicted' || now.state === 'other') return now
  if (now.state === 'bounded') return withBounds(before, now, { seen, last })
  if (before.state === 'bounded') return now
  const sighting = { value: now.value, seen: now.seen, last: now.last, windows: now.windows ?? 1 }
  if (before.state === 'contradicted' || before.state === 'other')
    return settleDispute(before.values ?? [], sighting, now.state)
  const state = before.state === 'observed' ? before.state : now.state
  if (isSame(before.value, now.value)) return { ...now, state, seen, last }
  if (sighting.windows >= confirmed) return now
  // A value that the file has is from an earlier run: another window.
  const old = { value: before.value, seen: before.seen, last: before.last, windows: before.seen }
  return { state: 'contradicted', seen, last, values: [old, sighting] }
}

/** The value of a contradicted line that was seen again in another window wins. */
function settleDispute(values: readonly Sighting[], now: Sighting, state: Line['state']): Line {
  const known = values.find(({ value }) => isSame(value, now.value))
  const newest = values.at(-1)
  const again = { ...now, seen: now.seen + (known?.seen ?? 0), windows: now.windows + (known?.windows ?? 0) }
  if (again.windows >= confirmed && (known === newest || now.windows >= confirmed))
    return { value: now.value, state, seen: again.seen, last: now.last, windows: again.windows }
  const others = values.filter(value => value !== known)
  const all = [...others, again].slice(-2)
  const seen = all.reduce((sum, one) => sum + one.seen, 0)
  return { state: 'contradicted', seen, last: now.last, values: all }
}

/** Bounds only tighten. A known value outside of new bounds is contradicted by them. */
function withBounds(before: Line, now: Line, about: Pick<Line, 'seen' | 'last'>): Line {
  if (before.state !== 'bounded') return isWithin(before.value, now) ? { ...before, ...about } : now
  const atLeast = furthest(before.atLeast, now.atLeast, 1)
  const atMost = furthest(before.atMost, now.atMost, -1)
  const line = { ...(atLeast !== undefined && { atLeast }), ...(atMost !== undefined && { atMost }) }
  const isPossible = atLeast === undefined || atMost === undefined || amountOf(atLeast) <= amountOf(atMost)
  return isPossible ? { ...line, state: 'bounded', ...about } : now
}

/** Whether a value lies within the bounds of a line. */
export function isWithin(value: unknown, { atLeast, atMost }: Line): boolean {
  const amount = amountOf(value)
  const isAbove = atLeast === undefined || amount >= amountOf(atLeast)
  return isAbove && (atMost === undefined || amount <= amountOf(atMost))
}

/** A number, or the milliseconds of a duration. */
function amountOf(value: unknown): number {
  return typeof value === 'number' ? value : (parseDuration(`${value}`) ?? Number.NaN)
}

function furthest(one: unknown, other: unknown, sign: 1 | -1): unknown {
  if (one === undefined || other === undefined) return one ?? other
  return sign * amountOf(one) >= sign * amountOf(other) ? one : other
}

/** Whether two values are the same, whatever the order of their members. */
export function isSame(one: unknown, other: unknown): boolean {
  return sortedText(one) === sortedText(other)
}

function sortedText(value: unknown): string {
  return (
    JSON.stringify(value, (_name, inner) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? ''
  )
}
