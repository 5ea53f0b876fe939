import type { Quota } from '../../../service/plans/plan.ts'
import type { Counted } from '../calls/history.ts'
import { routeOf } from '../calls/ledger.ts'

/** How Remaining changed from one response to the next, within a window. */
export interface Step {
  readonly now: Counted
  /** The operation, and its status if that is an error. */
  readonly group: string
  /** Remaining before the request. */
  readonly before: number
  readonly fall: number
  /** What a bucket that fills all the time can have regained meanwhile. */
  readonly regained: number
}

/** Steps that should have the same fall. */
export interface Group {
  readonly steps: readonly Step[]
  /** The fall of every step; undefined if they differ, or are too few. */
  readonly fall: number | undefined
}

/** Three of three are no coincidence. */
const enough = 3

export function stepsOf(history: readonly Counted[], quota: Quota | undefined): readonly Step[] {
  return history.slice(1).flatMap((now, at) => {
    const before = history[at]
    if (before === undefined || now.isAfterGap || before.call.status === 429 || now.call.status === 429)
      return []
    const { limit, remaining, reset } = now.standing
    // Remaining cannot fall below zero.
    if (remaining === 0) return []
    // Some services compute Reset from the seconds left, and round.
    if (before.standing.limit !== limit || Math.abs(before.standing.reset - reset) > 1) return []
    const length = limit === quota?.day && limit !== quota.minute ? 86_400_000 : 60_000
    const regained = ((now.at - before.at) * limit) / length
    const { request, status } = now.call
    const group = `${request.method} ${routeOf(request.target)}${status < 400 ? '' : ` ${status}`}`
    const { remaining: left } = before.standing
    return [{ now, group, before: left, fall: left - remaining, regained }]
  })
}

/** Groups the steps between which nobody called without the key. */
export function groupsOf(steps: readonly Step[]): ReadonlyMap<string, Group> {
  return grouped(
    steps.filter(({ now }) => now.strangers.length === 0),
    ({ group }) => group,
  )
}

/** Groups the others, by who called. Their fall is what the calls without the key used up. */
export function strangersOf(
  steps: readonly Step[],
  groups: ReadonlyMap<string, Group>,
): ReadonlyMap<string, Group> {
  const others = steps
    .filter(({ now }) => now.strangers.length > 0)
    .map(step => ({ ...step, fall: step.fall - usualFall(step, groups) }))
  return grouped(others, ({ now }) => now.strangers.join(', '))
}

/** What a request of the step's kind uses up. */
export function usualFall({ group }: Step, groups: ReadonlyMap<string, Group>): number {
  return groups.get(group)?.fall ?? groups.get('GET /pets')?.fall ?? 1
}

function grouped(steps: readonly Step[], by: (step: Step) => string): ReadonlyMap<string, Group> {
  const names = [...new Set(steps.map(by))]
  return new Map(
    names.map(name => {
      const own = steps.filter(step => by(step) === name)
      const [first] = own
      const isSame = own.length >= enough && own.every(({ fall }) => fall === first?.fall)
      return [name, { steps: own, fall: isSame ? first?.fall : undefined }]
    }),
  )
}
