import { secondsApart } from '../../base/time/apart.ts'
import { retryAfterOf } from '../check/calls/retry-after.ts'
import { isEpochSeconds, type ServiceAnswer } from './service-answer.ts'
import type { Remarks } from './service-tally.ts'

const banned = 'api_key_banned'

/** Judges Retry-After of a 429. `movesReset`: Reset of this key was seen to move, as in a sliding window. */
export function judgeRefusal(answer: ServiceAnswer, movesReset: boolean, { fault, doubt }: Remarks): void {
  const { exchange, headers, serviceTime, answeredAt, spare, rate } = answer
  const shown = `Retry-After is ${headers['retry-after']}`
  const reading = retryAfterOf(headers, serviceTime)
  if (reading === undefined) {
    fault('retry-missing', exchange, 'Retry-After is missing')
    return
  }
  if ('wrong' in reading) {
    fault('retry-format', exchange, reading.wrong)
    return
  }
  const end = serviceTime + reading.ms
  // Wrong by the service's clock and by the proxy's.
  if (end < Math.min(serviceTime, answeredAt) - spare) {
    fault('retry-past', exchange, `${shown}, ${Math.round(-reading.ms / 1_000)} s before Date`)
    return
  }
  if (reading.ms <= 0) doubt('whether Retry-After is right', 'it is 0, as if the limit were over at once')
  if (rate === undefined || !isEpochSeconds(rate.reset)) return
  const apart = Math.round(end / 1_000 - rate.reset)
  if (Math.abs(apart) <= 2) return
  if (exchange.trace.code === banned || exchange.trace.gate === 'ban')
    doubt('whether Retry-After agrees with X-RateLimit-Reset', 'the key is banned')
  else if (movesReset)
    doubt(
      'whether Retry-After agrees with X-RateLimit-Reset',
      'X-RateLimit-Reset moves, as in a sliding window',
    )
  else fault('retry-agrees', exchange, `${shown}, which ends ${secondsApart(apart)} X-RateLimit-Reset`)
}
