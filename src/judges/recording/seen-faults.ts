import type { RuleFields } from '../../control/scenario/file.ts'
import type { OperationId } from '../../service/operations/operations.ts'
import { roleOf } from '../../service/operations/operations.ts'
import { isBanned, isLimited, readRate, readRetryAfter, type Take } from './take.ts'

/** Errors that the emulator gives by itself, in the situation that causes them. */
const ownErrors: ReadonlySet<number> = new Set([400, 401, 404, 405, 410, 413, 415, 429])

/** Whether the answer is a failure that only a rule can repeat. */
export function isFault(take: Take): boolean {
  const { status, operation, key, headers, answer } = take
  if (status < 400 || operation === undefined || key === null || isBanned(take) || headers.Prefer)
    return false
  if (status === 429) return (readRate(take)?.remaining ?? 0) > 0
  return !ownErrors.has(status) || answer['x-pet-mock'] !== undefined
}

interface Failing {
  readonly key: string
  readonly operation: OperationId
  readonly after: number
  readonly then: NonNullable<RuleFields['then']>
  times: number
}

/**
 * Rules that repeat failures of the service, each at the same call of its key and operation. `made`: the calls of listPets
 * that the walkthrough adds before, by key.
 */
export function rulesOf(takes: readonly Take[], made: ReadonlyMap<string, number>): readonly RuleFields[] {
  const failing: Failing[] = []
  const counts = new Map<string, number>()
  for (const take of takes) {
    const { key, operation } = take
    const isRefused = take.status === 401 || isBanned(take) || (isLimited(take) && !isFault(take))
    if (key === null || operation === undefined || isRefused || take.headers.Prefer) continue
    const place = `${key} ${operation}`
    const after = counts.get(place) ?? (roleOf(operation) === 'list' ? (made.get(key) ?? 0) : 0)
    counts.set(place, after + 1)
    if (!isFault(take)) continue
    const wait = readRetryAfter(take)
    const then = {
      status: take.status,
      ...(take.code !== undefined && { code: take.code }),
      ...(wait !== undefined && { headers: { 'Retry-After': wait } }),
    }
    // Failures in a row are one rule.
    const last = failing.findLast(one => one.key === key && one.operation === operation)
    const follows = last !== undefined && last.after + last.times === after
    if (follows && JSON.stringify(last.then) === JSON.stringify(then)) last.times += 1
    else failing.push({ key, operation, after, then, times: 1 })
  }
  return failing.map(({ key, operation, after, then, times }, index) => ({
    name: `recorded-${index + 1}`,
    match: { operation, key },
    when: after === 0 ? { first: times } : { after },
    then,
    times,
  }))
}
