import { isObject } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import { readQuery } from '../../service/call/query.ts'
import { readTarget } from '../../service/call/target.ts'
import { listParameters } from '../../service/pets/list-query.ts'
import { limitHeaders } from '../check/calls/pace.ts'
import { byName } from '../contract/prism/exchange-texts.ts'
import { isEpochSeconds, type ServiceAnswer } from './service-answer.ts'
import type { Remarks } from './service-tally.ts'

/** The errors that the specification documents. Gateways before the service send others. */
const documented: readonly number[] = [400, 401, 404, 429]

/** Judges what one answer shows by itself. */
export function judgeAnswer(answer: ServiceAnswer, remarks: Remarks): void {
  if (answer.status < 300 && answer.status >= 200) judgeKey(answer, remarks)
  if (answer.status >= 400) judgeError(answer, remarks)
  judgeReset(answer, remarks)
}

const mayHoldKey = /auth|key|token|cookie|session|cert|sign/

function judgeKey({ exchange, operation, status }: ServiceAnswer, { fault, doubt }: Remarks): void {
  const { call } = exchange
  const names = Object.keys(byName(call.headers))
  if (names.includes('authorization')) return
  if (operation !== 'listPets' && operation !== 'createPet' && operation !== 'getPet') return
  const mayHaveKey = names.some(name => mayHoldKey.test(name))
  const others = readQuery(readTarget(call.target).query).some(
    ({ name }) => !listParameters.some(known => known === name),
  )
  if (mayHaveKey || others)
    doubt('whether a success without Authorization is right', 'another header or parameter may have a key')
  else fault('auth-missing', exchange, `the call has no key, the status is ${status}`)
}

function judgeError(answer: ServiceAnswer, { fault, doubt }: Remarks): void {
  const { exchange, status, headers } = answer
  const missing = limitHeaders.filter(name => headers[name] === undefined)
  if (!documented.includes(status)) {
    if (missing.length > 0)
      doubt(
        'whether an error must have the rate limit headers',
        'a gateway before the service may have sent it',
      )
    return
  }
  if (missing.length > 0) fault('limit-headers', exchange, `without ${missing.join(' and ')}`)
  const inBody = statusIn(answer)
  if (inBody !== undefined && inBody !== status)
    fault('error-status', exchange, `the Error has ${inBody}, the response ${status}`)
}

const longestError = 16_384

/** The status in an Error; undefined if the body is no Error. The contract judges its shape. */
function statusIn({ exchange: { reply, cut } }: ServiceAnswer): number | undefined {
  const { body = '', fault } = reply
  if (cut.reply !== undefined || fault !== undefined || body.length > longestError) return undefined
  const reading = readJson(body)
  const error = 'value' in reading ? reading.value : undefined
  if (!isObject(error) || typeof error.code !== 'string' || typeof error.message !== 'string')
    return undefined
  return typeof error.status === 'number' ? error.status : undefined
}

function judgeReset(answer: ServiceAnswer, { fault }: Remarks): void {
  const { exchange, status, rate, serviceTime, answeredAt, spare } = answer
  // Zero throughout is how services write "no limit".
  if (rate === undefined || rate.limit === 0 || (status >= 300 && status !== 429)) return
  const { reset } = rate
  if (!isEpochSeconds(reset)) {
    const guess = reset >= 1e11 ? 'milliseconds' : 'the seconds left'
    fault('limit-reset-seconds', exchange, `X-RateLimit-Reset is ${reset}, which looks like ${guess}`)
  } else if (reset * 1_000 < Math.min(serviceTime, answeredAt) - spare) {
    const late = Math.round(serviceTime / 1_000 - reset)
    fault('limit-reset-ahead', exchange, `X-RateLimit-Reset is ${late} s before Date`)
  }
}
