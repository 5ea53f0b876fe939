import type { PlaneFlight } from '../../../generated/plane-operations.ts'
import type { Flight, FlightCall } from '../../../judges/report/flight.ts'

/** The data of a picture as the plane sends it: a pair is a list there. */
export function readFlight({ calls, ...flight }: PlaneFlight): Flight {
  return { ...flight, calls: calls.map(({ left, ...call }) => ({ ...call, left: left && readLeft(left) })) }
}

type Left = NonNullable<FlightCall['left']>

function readLeft({
  minute,
  day,
}: {
  readonly minute: readonly number[]
  readonly day: readonly number[]
}): Left {
  const pair = ([remaining = 0, limit = 0]: readonly number[]) => [remaining, limit] as const
  return { minute: pair(minute), day: pair(day) }
}
