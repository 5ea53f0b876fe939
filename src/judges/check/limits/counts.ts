import type { Quota } from '../../../service/plans/plan.ts'
import type { CheckId } from '../calls/checks.ts'
import type { Counted } from '../calls/history.ts'
import type { Ledger } from '../calls/ledger.ts'
import { type Group, groupsOf, type Step, stepsOf, strangersOf, usualFall } from './steps.ts'

/** Rounding and calls in flight, in requests. */
const slack = 3
/** What is less likely than this is no coincidence. */
const coincidence = 0.001
/** Reset of a bucket moves within this time. */
const longMs = 3_000
/** Rises that are no coincidence. */
const enough = 3

/**
 * Compares Remaining from response to response, after a run. Services count differently, and others may use the same key: only
 * what shows every time is an error.
 */
export function judgeCounts(history: readonly Counted[], quota: Quota | undefined, ledger: Ledger): void {
  const steps = stepsOf(history, quota)
  const groups = groupsOf(steps)
  const strangers = strangersOf(steps, groups)
  const shared = unexplained(groups, strangers)
  const chance = chanceOfStillness(groups)
  const judge = (id: CheckId, step: Step, passes: boolean, detail: string) => {
    if (passes || shared === undefined) step.now.call.check(id, passes, detail)
    else ledger.leaveOpen(id, `others seem to use the key: ${seen(shared)}`)
  }
  for (const { steps, fall } of strangers.values())
    for (const step of steps.slice(0, fall === undefined ? 0 : 1))
      judge('limit-counts-own', step, fall === undefined || fall <= 0, everyTime(step, steps))
  for (const { steps, fall } of groups.values()) {
    const [step] = steps
    if (step === undefined || fall === undefined || isError(step)) continue
    if (fall <= 0) judgeStillness(step, steps, chance)
    else {
      step.now.call.check('limit-counts-down', true, '')
      step.now.call.check('limit-steady', true, '')
    }
    judge('limit-counts-once', step, fall <= 1, everyTime(step, steps))
  }
  const constant = [...groups.values()].filter(({ fall }) => fall !== undefined)
  judgeRises(steps.filter(step => !constant.some(group => group.steps.includes(step))))
  for (const step of [...groups.values()].flatMap(({ steps }) => steps).filter(isError))
    step.now.call.check('limit-counts-errors', step.fall > 0, seen(step))
  const reason =
    steps.length === 0
      ? 'no two responses came with the same limit and reset'
      : 'too few responses came in one window, or Remaining fell by one number and by another'
  for (const id of ['limit-counts-down', 'limit-counts-once', 'limit-counts-own', 'limit-steady'] as const)
    ledger.explain(id, reason)
}

/** Whether others seem to use the key. */
export function seemsShared(history: readonly Counted[], quota: Quota | undefined): boolean {
  const steps = stepsOf(history, quota)
  const groups = groupsOf(steps)
  return unexplained(groups, strangersOf(steps, groups)) !== undefined
}

/** A fall that no rule explains. */
function unexplained(
  groups: ReadonlyMap<string, Group>,
  strangers: ReadonlyMap<string, Group>,
): Step | undefined {
  const odd = (all: ReadonlyMap<string, Group>) =>
    [...all.values()].filter(({ fall }) => fall === undefined).flatMap(({ steps }) => steps)
  return (
    odd(groups).find(step => step.fall > Math.max(1, usualFall(step, groups))) ??
    odd(strangers).find(({ fall }) => fall > 1)
  )
}

/**
 * Remaining stays the same at every request of a kind. A bucket that fills while a slow service answers causes that, too, but
 * then Reset moves with the time.
 */
function judgeStillness(step: Step, steps: readonly Step[], chance: number): void {
  const regained = steps.reduce((sum, { regained }) => sum + regained, 0)
  const times = steps.map(({ now }) => now.at)
  const resets = new Set(steps.map(({ now }) => now.standing.reset))
  const isFixed = resets.size === 1 && Math.max(...times) - Math.min(...times) >= longMs
  const isBucket = !isFixed && Math.min((regained / steps.length) ** steps.length, chance) > coincidence
  step.now.call.check(isBucket ? 'limit-steady' : 'limit-counts-down', false, everyTime(step, steps))
}

/** How likely it is that a bucket, which fills at any time, stops Remaining just at all requests of some kinds. */
function chanceOfStillness(groups: ReadonlyMap<string, Group>): number {
  const accepted = [...groups.values()].filter(({ steps: [step] }) => step !== undefined && !isError(step))
  const count = (some: readonly Group[]) => some.reduce((sum, { steps }) => sum + steps.length, 0)
  const still = count(accepted.filter(({ fall }) => fall !== undefined && fall <= 0))
  const all = count(accepted)
  const zeros = accepted.flatMap(({ steps }) => steps).filter(({ fall }) => fall <= 0).length
  let chance = 1
  for (let n = 0; n < still; n += 1) chance *= (zeros - n) / (all - n)
  return chance
}

/** Remaining that rises is a bucket that fills, unless it rises by more than that. */
function judgeRises(steps: readonly Step[]): void {
  const jumps = steps.filter(({ fall, regained }) => 1 - fall > regained + slack)
  const isSure = jumps.length >= enough
  for (const step of isSure ? jumps : []) step.now.call.check('limit-counts-down', false, seen(step))
  for (const step of steps.filter(step => !isError(step)))
    if (!isSure || !jumps.includes(step)) step.now.call.check('limit-steady', step.fall > 0, seen(step))
}

function isError({ now }: Step): boolean {
  return now.call.status >= 400
}

function everyTime(step: Step, { length }: readonly Step[]): string {
  return `${seen(step)}, ${length} times of ${length}`
}

function seen({ now, before }: Step): string {
  const between =
    now.strangers.length === 0 ? '' : `, with a call ${now.strangers.join(' and one ')} in between`
  return `${before} remained before the call, ${now.standing.remaining} after it${between}`
}
