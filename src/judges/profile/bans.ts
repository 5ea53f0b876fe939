import type { Line } from '../../control/profile/profile.ts'
import type { KeyCounts } from './limits.ts'
import { endOf, type RateOf, type Run } from './refusals.ts'
import { type Lines, lineOf, type Sighting, summarize } from './sightings.ts'

/** Status, length, trigger and extension of bans, from traffic that caused them (A10). */
export function learnBans(runs: readonly Run[], keys: readonly KeyCounts[], rateOf: RateOf): Lines {
  const alone = new Set(keys.filter(({ isAlone }) => isAlone).map(({ calls }) => calls[0]?.key))
  const bans = runs.filter(({ banned }) => banned.length > 0)
  const isAlone = ({ banned }: Run) => alone.has(banned[0]?.key)
  return {
    'bans.status': lineOf(
      bans.flatMap(({ banned: [call] }) => (call === undefined ? [] : [{ call, value: call.status }])),
    ),
    'bans.for': lengthLine(bans, isAlone, rateOf),
    'bans.after': triggerLine(bans.filter(isAlone)),
    'bans.extend': lineOf(bans.flatMap(ban => extensions(ban, rateOf))),
  }
}

/** When a ban ends. Undefined if its response may name the end of a window, which comes later. */
function ownEnd({ limited, before }: Run, call: Run['banned'][number] | undefined, rateOf: RateOf) {
  const last = limited[0] ?? before
  const [end, windowEnd] = [call && endOf(call, rateOf), last && endOf(last, rateOf)]
  return end !== undefined && windowEnd !== undefined && end > windowEnd ? end : undefined
}

/** Further bans may be longer. Of a key that others use, the ban may have begun after the call before. */
function lengthLine(bans: readonly Run[], isAlone: (ban: Run) => boolean, rateOf: RateOf): Line | undefined {
  const exact: Sighting[] = []
  const bounded: Line[] = []
  for (const ban of bans) {
    const { limited, before, banned, isFirst, isSequential } = ban
    const [call] = banned
    const last = limited.at(-1) ?? before
    const end = ownEnd(ban, call, rateOf)
    if (!isFirst || call?.date === undefined || last?.date === undefined || end === undefined) continue
    const seconds = (end - call.date) / 1_000
    const most = (end - last.date) / 1_000
    if ((isSequential && isAlone(ban)) || seconds === most) exact.push({ call, value: `${seconds}s` })
    else
      bounded.push({ atLeast: `${seconds}s`, atMost: `${most}s`, state: 'bounded', ...summarize([{ call }]) })
  }
  return lineOf(exact, 'inferred') ?? bounded.at(-1)
}

/** Refusals soon after the first one may not count: so their number is a bound. */
function triggerLine(bans: readonly Run[]): Line | undefined {
  const seen = bans.filter(({ before, isSequential }) => before !== undefined && isSequential)
  const calls = seen.flatMap(({ banned: [call] }) => (call === undefined ? [] : [{ call }]))
  if (calls.length === 0) return undefined
  return {
    atMost: Math.min(...seen.map(({ limited }) => limited.length + 1)),
    state: 'bounded',
    ...summarize(calls),
  }
}

/** Whether a call during a ban moves its end. */
function extensions(ban: Run, rateOf: RateOf): readonly Sighting[] {
  const [first, ...later] = ban.banned
  const end = ownEnd(ban, first, rateOf)
  if (first?.date === undefined || end === undefined) return []
  return later.flatMap((call): Sighting[] => {
    const own = endOf(call, rateOf)
    if (call.date === undefined || own === undefined || call.date <= (first.date ?? 0)) return []
    if (own === end) return [{ call, value: false }]
    return own - call.date === end - (first.date ?? 0) ? [{ call, value: true }] : []
  })
}
