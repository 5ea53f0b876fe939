import type { RetryAfterForm } from '../../service/limits/retry-after.ts'
import { type DrawnFault, effective, mostLeft, nameOf, type Situation } from './situation.ts'

/** Every situation that is smaller in one part: without it, or one step closer to the usual service. The smallest first. */
export function smallerSituations(situation: Situation): readonly Situation[] {
  const { minute, day, ban, banAfter, retryAfter, window, fault } = situation
  const steps: readonly Situation[] = [
    ...moreLeft(minute).map(more => ({ minute: more })),
    ...moreLeft(day).map(more => ({ day: more })),
    ...(olderForms.some(form => form === retryAfter) ? [{ retryAfter: 'http-date' as const }] : []),
    ...(ban === undefined || ban <= 60 ? [] : [{ ban: 60 }]),
    ...(banAfter === undefined || banAfter >= 9 ? [] : [{ banAfter: banAfter + 1 }]),
    ...(window === undefined || window >= 59 ? [] : [{ window: window + 1 }]),
    ...(fault === undefined ? [] : smallerFaults(fault).map(smaller => ({ fault: smaller }))),
  ]
  const own = nameOf(situation)
  const milder = steps.map(step => effective({ ...situation, ...step })).filter(step => nameOf(step) !== own)
  return [...onePartAlone(situation), ...withoutOnePart(situation), ...milder]
}

/** The most at once, half of the way, and one more: a run for each number would use up the budget. */
function moreLeft(left: number | undefined): readonly number[] {
  if (left === undefined || left >= mostLeft) return []
  return [...new Set([mostLeft, Math.ceil((left + mostLeft) / 2), left + 1])]
}

/** In the order of parts: `plan` alone explains more than a day with few calls left. */
function onePartAlone(situation: Situation): readonly Situation[] {
  const names = namesOf(situation)
  if (names.length < 2) return []
  const alone = names.map(name => effective({ [name]: situation[name] }))
  return alone.filter(one => namesOf(one).length > 0)
}

/** Every situation without one of its parts, except the usual service. */
export function withoutOnePart(situation: Situation): readonly Situation[] {
  const own = nameOf(situation)
  const without = namesOf(situation).map(name => effective({ ...situation, [name]: undefined }))
  return without.filter(one => namesOf(one).length > 0 && nameOf(one) !== own)
}

function namesOf(situation: Situation): readonly (keyof Situation)[] {
  return Object.keys(situation) as readonly (keyof Situation)[]
}

const olderForms: readonly RetryAfterForm[] = ['rfc850-date', 'asctime-date']

function smallerFaults(fault: DrawnFault): readonly DrawnFault[] {
  const { nth, times, then } = fault
  const { headers, ...bare } = then
  return [
    ...(times > 1 ? [{ ...fault, times: times - 1 }] : []),
    ...(headers === undefined ? [] : [{ ...fault, then: bare }]),
    ...(nth > 1 ? [{ ...fault, nth: nth - 1 }] : []),
  ]
}
