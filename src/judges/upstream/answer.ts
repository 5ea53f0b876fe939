import { parseInt64 } from '../../base/json/int64.ts'
import { isJsonObject } from '../../base/json/is-object.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { secondsApart } from '../../base/time/apart.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { readQuery, readTarget } from '../../service/call/target.ts'
import { listParameters, roleOf } from '../../service/operations/operations.ts'
import { operationAt } from '../../service/operations/routes.ts'
import { pageSize } from '../../service/pets/list-pets.ts'
import { isPetStatus } from '../../service/pets/pet.ts'
import * as answers from '../conformance/answers.ts'
import { isProxyCheck, type ProxyCheckId } from '../conformance/checks.ts'
import { belowBase, bodyJson, bodyText, byName, replyByName } from '../exchanges/texts.ts'

/** What judges say: a fault, or what they could not judge and why. */
export interface Remarks {
  readonly fault: (id: ProxyCheckId, exchange: Exchange, detail: string) => void
  /** `why` is a clause, from a fixed set. */
  readonly doubt: (id: ProxyCheckId, why: string) => void
}

/** An answer of the service to a call of an operation. Its target is below the base URL. */
export type ServiceAnswer = Exclude<ReturnType<typeof readAnswer>, undefined | { readonly lost: string }>

/**
 * Reads an exchange. Undefined if no operation was called, or a cache or pet-mock may have made the answer. `base`: the API's
 * base path. `fault` takes what the checks of the answer find. `lost`: what the service, or a gateway before it, sent instead of an
 * answer: `no answer`, or `502`. No check reads that.
 */
export function readAnswer(exchange: Exchange, base: string, fault: Remarks['fault']) {
  const { call, reply, trace, cut, at: answeredAt } = exchange
  const { path: whole, query } = readTarget(call.target)
  const path = belowBase(whole, base)
  const operation = path === undefined ? undefined : operationAt(`/v1${path}`, call.method)
  if (path === undefined || operation === undefined) return undefined
  const lost = whyLost(exchange)
  if (lost !== undefined) return { operation, lost }
  const named = byName(call.headers)
  const headers = replyByName(reply)
  if (call.method === 'HEAD' || trace.synthetic) return undefined
  // The limit headers of a cached answer are those of another call.
  const marks = ['age', 'x-cache', 'cf-cache-status', 'x-cache-status']
  if (marks.some(name => headers[name] !== undefined)) return undefined
  const { status } = reply
  const sentAt = call.receivedAt
  const isWhole = cut.reply === undefined && reply.fault === undefined
  const answer = { status, headers, ...answers.readBody(isWhole ? (reply.body ?? '') : '') }
  const checked: answers.CheckedCall = {
    ...answer,
    request: {
      method: call.method,
      target: query === '' ? path : `${path}?${query}`,
      key: named.authorization === undefined ? 'none' : 'valid',
      headers: named,
      body: bodyText(call.body),
    },
    check: (id, passes, detail) => {
      if (!passes && isProxyCheck(id)) fault(id, exchange, detail)
    },
  }
  return {
    ...checked,
    exchange,
    operation,
    /** When the call came and its answer began, on the proxy's clock. */
    sentAt,
    answeredAt,
    /** From Date, or else `answeredAt`: epoch milliseconds. */
    serviceTime: answers.serviceTime(headers, answeredAt),
    /** How far two instants of the service may differ though nothing is wrong, in milliseconds. */
    spare: answers.spareMs(headers) + Math.max(0, answeredAt - sentAt),
    /** Undefined without readable headers. */
    rate: answers.readStanding(answer, answeredAt),
  }
}

/** Undefined for a call that was answered, and for answers that pet-mock made. */
function whyLost({ reply, trace }: Exchange): string | undefined {
  if (trace.gate === 'failure') return 'no answer'
  if (trace.rules !== undefined) return undefined
  if (reply.fault !== undefined) return 'a part of an answer'
  return answers.isOutage(reply.status) ? `${reply.status}` : undefined
}

/** The errors that the specification documents. Gateways before the service send others. */
const documented: readonly number[] = [400, 401, 404, 429]

/** Judges what one answer shows by itself. `plan`: that of the keys, if it is known. */
export function judgeAnswer(answer: ServiceAnswer, plan: string | undefined, remarks: Remarks): void {
  const { status } = answer
  judgeKey(answer, remarks)
  judgeLimits(answer, plan, remarks)
  if (status >= 200 && status < 300) judgeBody(answer)
  if (documented.includes(status)) judgeStatus(answer)
}

const mayHoldKey = /auth|key|token|cookie|session|cert|sign/

/** A call without a key. If it is wrong in other ways, too, a service may report another mistake first. */
function judgeKey({ exchange, operation, status, request }: ServiceAnswer, { fault, doubt }: Remarks): void {
  const names = Object.keys(request.headers)
  const isSuccess = status >= 200 && status < 300
  const isOther = roleOf(operation) !== undefined && (status === 400 || status === 404)
  if (request.key !== 'none' || (!isSuccess && !isOther)) return
  const mayHaveKey = names.some(name => mayHoldKey.test(name))
  const others = queryOf(request.target).some(({ name }) => !listParameters().includes(name))
  const detail = `the call has no key, the status is ${status}`
  if (!mayHaveKey && !others) fault(isSuccess ? 'auth-missing' : 'auth-first', exchange, detail)
  else if (isSuccess) doubt('auth-missing', 'another header or parameter may have a key')
}

function judgeLimits(answer: ServiceAnswer, plan: string | undefined, { doubt }: Remarks): void {
  const { operation, status, headers, rate, answeredAt, sentAt } = answer
  const isDocumented = documented.includes(status) && (roleOf(operation) !== undefined || status !== 404)
  if (!isDocumented && status >= 300) {
    if (status >= 400 && answers.limitHeaders.some(name => headers[name] === undefined))
      doubt('limit-headers', 'a gateway before the service may have sent the error')
    return
  }
  // Zero throughout is how services write "no limit".
  if (rate?.limit === 0) return
  answers.checkLimitHeaders(answer, { plan, now: answeredAt, latency: answeredAt - sentAt })
}

/** The status in an Error. The contract judges its shape. */
function judgeStatus(call: answers.CheckedCall): void {
  const { code, message, status } = answers.petOf(call) ?? {}
  if (typeof code !== 'string' || typeof message !== 'string' || typeof status !== 'number') return
  const detail = `the Error has ${answers.show(status)}, the response ${call.status}`
  call.check('error-status', status === call.status, detail)
}

function judgeBody(answer: ServiceAnswer): void {
  const { operation, status } = answer
  answer.check('json-no-mark', !answer.hasMark, 'the body begins with U+FEFF')
  const role = roleOf(operation)
  if (role === 'list' && status === 200) judgeList(answer)
  if (role === 'create' && status === 201) judgeCreated(answer)
  if (role !== 'read' || status !== 200) return
  const wanted = parseInt64(readTarget(answer.request.target).path.replace(/^\/pets\//, ''))
  const id = answers.petOf(answer)?.id
  if (wanted !== undefined && isInteger(id))
    answer.check('get-same', id === wanted, `the id is ${answers.show(id)}, not ${wanted}`)
}

function judgeList(page: answers.CheckedCall): void {
  const query = queryOf(page.request.target)
  const only = (wanted: string) => {
    const found = query.filter(({ name }) => name === wanted)
    return found.length === 1 ? found[0]?.value : undefined
  }
  const [limitText = '', status] = [only('limit'), only('status')]
  const limit = /^\d{1,3}$/.test(limitText) ? Number(limitText) : 0
  const count = answers.lengthOf(page)
  if (limit >= pageSize.min && limit <= pageSize.max)
    page.check('list-limit', count <= limit, `${count} animals, at most ${limit} allowed`)
  // Another parameter, such as a cursor, may bring the limit along.
  else if (query.every(({ name }) => name === 'status'))
    page.check('list-default', count <= pageSize.default, `${count} animals`)
  if (isPetStatus(status)) answers.checkStatus(page, status, 'list-filter')
}

function queryOf(target: string) {
  return readQuery(readTarget(target).query)
}

function judgeCreated(call: answers.CheckedCall): void {
  const sent = bodyJson(call.request.body ?? '')
  if (!isJsonObject(sent) || answers.petOf(call) === undefined) return
  const { name, categoryId, status } = sent
  // What is no NewPet breaks the contract.
  if (typeof name !== 'string' || !isInteger(categoryId)) return
  answers.checkFields(call, { name, categoryId, ...(isPetStatus(status) && { status }) }, 'create-as-sent')
}

function isInteger(value: JsonValue | undefined): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}

/** Judges Retry-After of a 429. `movesReset`: Reset of this key was seen to move, as in a sliding window. */
export function judgeRefusal(answer: ServiceAnswer, movesReset: boolean, { fault, doubt }: Remarks): void {
  const { exchange, headers, serviceTime, answeredAt, spare, rate } = answer
  const shown = `Retry-After is ${headers['retry-after']}`
  const reading = answers.retryAfterOf(headers, serviceTime)
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
  if (reading.ms <= 0) doubt('retry-past', 'Retry-After is 0, as if the limit were over at once')
  if (rate === undefined || !answers.isEpochSeconds(rate.reset)) return
  const apart = Math.round(end / 1_000 - rate.reset)
  if (Math.abs(apart) <= 2) return
  if (exchange.trace.code === 'api_key_banned' || exchange.trace.gate === 'ban')
    doubt('retry-agrees', 'the key is banned')
  else if (movesReset) doubt('retry-agrees', 'X-RateLimit-Reset moves, as in a sliding window')
  else fault('retry-agrees', exchange, `${shown}, which ends ${secondsApart(apart)} X-RateLimit-Reset`)
}
