import fc from 'fast-check'
import type { ThenFields } from '../../control/scenario/file.ts'
import { hostileForms, legalForms, type RetryAfterForm } from '../../service/limits/retry-after.ts'
import { specifiedPlans } from '../../service/plans/plan.ts'
import {
  type DrawnFault,
  type DrawnSituation,
  effective,
  mostLeft,
  needsRefusal,
  type PartName,
  partsIn,
} from './situation.ts'

/** The later a fault, the more of a run it leaves unchanged. */
const latestFault = 40

const largerPlans = specifiedPlans.filter(plan => plan !== 'free')

/**
 * Draws situations from these parts. Shrinking removes parts, and moves numbers towards what is usual. `calls`: those of
 * the client in the usual service, 1 or more.
 */
export function drawSituation(calls: number, names: ReadonlySet<PartName>): fc.Arbitrary<DrawnSituation> {
  // More calls left than the client makes would change nothing.
  const left = fewest(0, Math.min(calls - 1, mostLeft))
  const part = <T>(name: PartName, weight: number, values: fc.Arbitrary<T>) =>
    names.has(name) ? sometimes(weight, values) : fc.constant(undefined)
  return fc
    .record({
      plan: part('plan', 1, fc.constantFrom(...largerPlans)),
      minute: part('minute', 4, left),
      day: part('day', 1, left),
      ban: part('ban', calls > 1 ? 1 : 0, fc.constantFrom(60, 300)),
      // If the first refusal were a ban, no client could avoid it.
      banAfter: part('ban-after', 2, fewest(2, 9)),
      retryAfter: sometimes(4, formOf(names)),
      window: part('window', 2, fewest(1, 59)),
      clock: part('clock', 1, fc.constantFrom(3, -3)),
      fault: sometimes(6, faultOf(calls, names)),
    })
    .map(effective)
}

const refusing: readonly PartName[] = ['minute', 'day', 'ban']
/** Enough that a part which can act is in one of them. */
const tries = 200

/** One situation for each part, without the others if possible. Parts that cannot act have none. */
export function drawTurns(calls: number, names: ReadonlySet<PartName>, seed: number) {
  return [...names].flatMap(name => {
    const others = needsRefusal.includes(name) ? refusing.filter(other => names.has(other)) : []
    const drawn = fc.sample(drawSituation(calls, new Set([name, ...others])), { seed, numRuns: tries })
    return drawn.find(situation => partsIn(situation).includes(name)) ?? []
  })
}

/** Undefined is the smallest value. `weight` against 6 for it. */
function sometimes<T>(weight: number, values: fc.Arbitrary<T> | undefined): fc.Arbitrary<T | undefined> {
  if (values === undefined) return fc.constant(undefined)
  const usual = { weight: 6, arbitrary: fc.constant(undefined) }
  return fc.oneof({ withCrossShrink: true }, usual, { weight, arbitrary: values })
}

/** Whole numbers that grow as they shrink: the fewer, the harder for the client. */
function fewest(min: number, max: number): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: max - min }).map(
    less => max - less,
    value => max - Number(value),
  )
}

function formOf(names: ReadonlySet<PartName>): fc.Arbitrary<RetryAfterForm> | undefined {
  const forms: readonly RetryAfterForm[] = [
    ...(names.has('retry-after') ? legalForms.filter(form => form !== 'seconds') : []),
    ...(names.has('hostile') ? hostileForms : []),
  ]
  return forms.length === 0 ? undefined : fc.constantFrom(...forms)
}

function faultOf(calls: number, names: ReadonlySet<PartName>): fc.Arbitrary<DrawnFault> | undefined {
  const kinds = Object.entries(faults).flatMap(([name, then]) => (names.has(name as PartName) ? [then] : []))
  if (kinds.length === 0) return undefined
  return fc.record({
    nth: fc.integer({ min: 1, max: Math.min(calls, latestFault) }),
    times: fc.integer({ min: 1, max: 2 }),
    then: fc.oneof(...kinds),
  })
}

type FaultPart = Extract<PartName, 'status' | 'reset' | 'empty' | 'truncate' | 'malformed' | 'delay'>

const faults: Readonly<Record<FaultPart, fc.Arbitrary<ThenFields>>> = {
  status: fc.record(
    { status: fc.constantFrom(503, 500, 502, 504), headers: fc.constant({ 'Retry-After': 1 }) },
    { requiredKeys: ['status'], noNullPrototype: true },
  ),
  reset: fc.constant({ fault: 'reset' }),
  empty: fc.constant({ fault: 'empty' }),
  truncate: fc.constant({ fault: 'truncate' }),
  malformed: fc.constant({ fault: 'malformed' }),
  delay: fc.integer({ min: 1, max: 10 }).map(halves => ({ delay: `${halves * 500}ms` })),
}
