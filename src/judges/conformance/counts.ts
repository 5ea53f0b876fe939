import { secondsApart } from '../../base/time/apart.ts'
import type { Quota } from '../../service/plans/plan.ts'
import { isEpochSeconds, retryMs, serviceTime } from './answers.ts'
import type { CheckId } from './checks.ts'
import type { Counted, Ledger } from './ledger.ts'
import { operationOf } from './requests.ts'

/** Rounding and calls in flight, in requests. */
const slack = 3
/** What is less likely than this is no coincidence. */
const coincidence = 0.001
/** Reset of a bucket moves within this time. */
const longMs = 3_000

/**
 * Compares Remaining from response to response, after a run. Services count differently, and others may use the same key: only
 * what shows every time is an error.
 */
export function judgeCounts(history: readonly Counted[], quota: Quota | undefined, ledger: Ledger): void {
  const offsets = offsetsOf(history)
  for (const { shown, by, right } of offsets) {
    const { call, standing } = shown
    const size = `${Math.abs(by)} too ${by > 0 ? 'high' : 'low'} each time`
    const id = call.status >= 400 ? 'limit-counts-errors' : 'limit-counts-down'
    call.check(id, false, `X-RateLimit-Remaining is ${standing.remaining}, not ${right}: ${size}`)
  }
  const steps = stepsOf(corrected(history, offsets), quota)
  const groups = groupsOf(steps)
  const strangers = strangersOf(steps, groups)
  const shared = unexplained(groups, strangers)
  const chance = chanceOfStillness(groups)
  const judge = (id: CheckId, step: Step, passes: boolean, detail: string) => {
    if (passes || shared === undefined) step.now.call.check(id, passes, detail)
    else ledger.leaveOpen(id, othersUse(shared))
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
  if (shared !== undefined) ledger.leaveOpen('limit-counts-once', othersUse(shared))
  const constant = [...groups.values()].filter(({ fall }) => fall !== undefined)
  judgeRises(steps.filter(step => !constant.some(group => group.steps.includes(step))))
  for (const step of [...groups.values()].flatMap(({ steps }) => steps).filter(isError))
    step.now.call.check('limit-counts-errors', step.fall > 0, seen(step))
  const reason =
    steps.length === 0
      ? 'no two responses in a row came with the same limit and reset'
      : 'too few responses came in one window, or Remaining fell by one number and by another'
  for (const id of ['limit-counts-down', 'limit-counts-once', 'limit-counts-own', 'limit-steady'] as const)
    ledger.explain(id, reason)
}

function othersUse(shared: Step): string {
  return `others seem to use the key: ${seen(shared)}`
}

export function seemsShared(history: readonly Counted[], quota: Quota | undefined): boolean {
  const steps = stepsOf(corrected(history, offsetsOf(history)), quota)
  const groups = groupsOf(steps)
  return unexplained(groups, strangersOf(steps, groups)) !== undefined
}

function unexplained(groups: Groups, strangers: Groups): Step | undefined {
  const odd = (all: Groups) =>
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
function chanceOfStillness(groups: Groups): number {
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

/** How Remaining changed from one response to the next, within a window. */
type Step = ReturnType<typeof stepsOf>[number]

/** Steps that should have the same fall. */
interface Group {
  readonly steps: readonly Step[]
  /** The fall of every step; undefined if they differ, or are too few. */
  readonly fall: number | undefined
}

type Groups = ReadonlyMap<string, Group>

/** Three of three, and three rises, are no coincidence. */
const enough = 3

function stepsOf(history: readonly Counted[], quota: Quota | undefined) {
  return history.slice(1).flatMap((now, at) => {
    const before = history[at]
    if (before === undefined || now.isAfterGap || before.call.status === 429 || now.call.status === 429)
      return []
    const { limit, remaining } = now.standing
    // Remaining cannot fall below zero.
    if (remaining === 0 || !isSameWindow(before, now)) return []
    const length = limit === quota?.day && limit !== quota.minute ? 86_400_000 : 60_000
    // What a bucket that fills all the time can have regained meanwhile.
    const regained = ((now.at - before.at) * limit) / length
    const { remaining: left } = before.standing
    return [{ now, group: groupOf(now), before: left, fall: left - remaining, regained }]
  })
}

/** Whether two responses report the same window. */
export function isSameWindow({ standing: one }: Counted, { standing: other }: Counted): boolean {
  // Some services compute Reset from the seconds left, and round.
  return one.limit === other.limit && Math.abs(one.reset - other.reset) <= 1
}

/** The operation, and its status if that is an error. */
function groupOf({ call: { request, status } }: Counted): string {
  return `${operationOf(request)}${status < 400 ? '' : ` ${status}`}`
}

/** Groups the steps between which nobody called without the key. */
function groupsOf(steps: readonly Step[]): Groups {
  const alone = steps.filter(({ now }) => now.strangers.length === 0)
  return grouped(alone, ({ group }) => group)
}

/** Groups the others, by who called. Their fall is what the calls without the key used up. */
function strangersOf(steps: readonly Step[], groups: Groups): Groups {
  const others = steps
    .filter(({ now }) => now.strangers.length > 0)
    .map(step => ({ ...step, fall: step.fall - usualFall(step, groups) }))
  return grouped(others, ({ now }) => now.strangers.join(', '))
}

function usualFall({ group }: Step, groups: Groups): number {
  // Errors of an operation usually count as its successes do.
  const operation = group.replace(/ \d{3}$/, '')
  const known = [group, operation, 'GET /pets'].map(name => groups.get(name)?.fall)
  return known.find(fall => fall !== undefined) ?? 1
}

function grouped(steps: readonly Step[], by: (step: Step) => string): Groups {
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

/**
 * Responses of one kind whose Remaining is wrong by the same number each time, although each request counts once. The
 * responses around show how many requests remain. Others that use the key do not cause the same number each time.
 */
function offsetsOf(history: readonly Counted[]) {
  const found = runsOf(history)
  return [...new Set(found.map(({ shown }) => groupOf(shown)))].flatMap(group => {
    const own = found.filter(({ shown }) => groupOf(shown) === group)
    const [first] = own
    if (first === undefined || first.by === 0 || own.length < enough) return []
    if (own.some(({ by }) => by !== first.by)) return []
    return [{ responses: history.filter(one => groupOf(one) === group), ...first }]
  })
}

function corrected(history: readonly Counted[], offsets: ReturnType<typeof offsetsOf>): readonly Counted[] {
  return history.map(one => {
    const { by = 0 } = offsets.find(({ responses }) => responses.includes(one)) ?? {}
    return by === 0 ? one : { ...one, standing: { ...one.standing, remaining: one.standing.remaining - by } }
  })
}

/** The responses of an operation in sequence, between two of others that differ by just their number. */
function runsOf(history: readonly Counted[]) {
  const operations = history.map(({ call }) => operationOf(call.request))
  return history.flatMap((before, index) => {
    const start = index + 1
    const operation = operations[start]
    if (operation === operations[index]) return []
    const length = operations.slice(start).findIndex(other => other !== operation)
    const run = length < 0 ? [] : history.slice(start, start + length + 1)
    const isQuiet = run.every(
      one =>
        one.strangers.length === 0 &&
        !one.isAfterGap &&
        one.call.status !== 429 &&
        one.standing.remaining > 0 &&
        isSameWindow(before, one),
    )
    const { remaining } = before.standing
    const after = run.at(-1)?.standing.remaining ?? remaining
    if (!isQuiet || remaining - after !== run.length) return []
    return run.slice(0, -1).map((shown, at) => {
      const right = remaining - at - 1
      // `right`: what the shown one must say. `by`: above zero if it is too high.
      return { shown, by: shown.standing.remaining - right, right }
    })
  })
}

/** A minute's window ends so soon. Two clocks differ, and headers are rounded. */
export const longestMinuteMs = 65_000

/** Judges refusals while calls were left, after a run. `quota`: undefined for a plan whose limits are not known. */
export function judgeEarly(history: readonly Counted[], quota: Quota | undefined, ledger: Ledger): void {
  const isShared = seemsShared(history, quota)
  for (const [at, refusal] of history.entries()) {
    const before = history[at - 1]
    const { call, isAfterGap } = refusal
    if (call.status !== 429 || before === undefined || before.call.status === 429 || isAfterGap) continue
    const time = serviceTime(call.headers, refusal.at)
    const { remaining, reset } = before.standing
    if (remaining === 0) {
      for (const id of ['limit-not-early', 'limit-announced'] as const) call.check(id, true, '')
      continue
    }
    if (reset * 1_000 <= time) continue
    const wasRefused = history.slice(0, at).some(({ call }) => call.status === 429)
    const isExplained = wasRefused || mayBeOfDay(before, refusal, quota, time)
    const id = isExplained ? 'limit-announced' : 'limit-not-early'
    if (isShared) ledger.leaveOpen('limit-not-early', 'others seem to use the key')
    else call.check(id, false, `${remaining} remained before the call`)
  }
}

/** Whether the headers show another window than the one that is used up (A06). */
function mayBeOfDay(before: Counted, { call, standing }: Counted, quota: Quota | undefined, time: number) {
  if (before.standing.limit !== quota?.minute || standing.limit === quota.day) return true
  const untilReset = standing.reset * 1_000 - time
  return (retryMs(call.headers, time) ?? untilReset) > longestMinuteMs
}

/** By two clocks, and rounded, a window may seem to be over so long before its end. */
export const clocksMs = 6_000

/** The accepted responses with a Date, if Reset is after it in none of them. */
export function neverAhead(history: readonly Counted[]): readonly Counted[] {
  const dated = history.filter(
    ({ call: { status, headers }, standing: { reset } }) =>
      status < 400 && isEpochSeconds(reset) && Date.parse(headers.date ?? '') > 0,
  )
  const isAhead = dated.some(one => one.standing.reset * 1_000 > serviceTime(one.call.headers, 0))
  return isAhead || dated.length < enough ? [] : dated
}

/** Judges Reset of all responses, after a run: two clocks excuse some that are not ahead, but not every one. */
export function judgeResets(history: readonly Counted[], quota: Quota | undefined, ledger: Ledger): void {
  const all = neverAhead(history)
  // A bucket that is almost full resets at once, a slow service may write Date late, and a gateway by another clock.
  const sure = all.filter(({ at, standing: { limit, remaining, reset } }, index) => {
    const isQuick = at - (all[index - 1]?.at ?? 0) <= 500
    return isQuick && limit - remaining > limit / 30 && reset * 1_000 <= at
  })
  const first = sure[0] ?? all[0]
  if (first === undefined || ledger.isFailed('limit-reset-ahead')) return
  const { call, at: start, standing } = first
  const isSure = sure.slice(9).some(({ at }) => at - start >= clocksMs) && !seemsShared(history, quota)
  const apart = secondsApart(Math.round(standing.reset - serviceTime(call.headers, 0) / 1_000))
  const detail = `X-RateLimit-Reset is ${apart} Date, and later in none of ${all.length} responses`
  if (isSure) call.check('limit-reset-ahead', false, detail)
  else
    ledger.leaveOpen('limit-reset-ahead', 'Reset was never after Date, perhaps by rounding or another clock')
}
