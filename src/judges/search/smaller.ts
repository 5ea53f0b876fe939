import type { RetryAfterForm } from '../../service/limits/retry-after-forms.ts'
import { type DrawnFault, effective, nameOf, type Situation } from './situation.ts'

/** Every situation that is smaller in one part: without it, or one step closer to the usual service. The smallest first. */
export function smallerSituations(situation: Situation): readonly Situation[] {
  const { minute, day, ban, banAfter, retryAfter, window, fault } = situation
  const names = Object.keys(situation) as readonly (keyof Situation)[]
  const steps: readonly Situation[] = [
    ...names.map(name => ({ [name]: undefined })),
    ...(minute === undefined ? [] : [{ minute: minute + 1 }]),
    ...(day === undefined ? [] : [{ day: day + 1 }]),
    ...(olderForms.some(form => form === retryAfter) ? [{ retryAfter: 'http-date' as const }] : []),
    ...(ban === undefined || ban <= 60 ? [] : [{ ban: 60 }]),
    ...(banAfter === undefined || banAfter >= 9 ? [] : [{ banAfter: banAfter + 1 }]),
    ...(window === undefined || window >= 59 ? [] : [{ window: window + 1 }]),
    ...(fault === undefined ? [] : smallerFaults(fault).map(smaller => ({ fault: smaller }))),
  ]
  const own = nameOf(situation)
  return steps.map(step => effective({ ...situation, ...step })).filter(step => nameOf(step) !== own)
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
