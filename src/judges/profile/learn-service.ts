import { isJsonObject, listOf } from '../../base/json/is-object.ts'
import { parseRetryAfter } from '../../base/time/retry-after.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Call } from '../../service/call/call.ts'
import { nextLink } from '../../service/call/link.ts'
import { authorizationOf, type CheckRequest, get, hasKey } from '../conformance/requests.ts'
import { seenExchange } from '../exchanges/seen-trace.ts'
import { asReplyHeaders, bodyJson, replyByName } from '../exchanges/texts.ts'
import type { WholeAnswer } from '../walkthrough/target.ts'
import { type Allowed, bounds, readingRequests, writingRequests } from './plan.ts'
import { isAccepted as isAcceptedCall, type Rate, readRate, readRates } from './rates.ts'
import { seeCall } from './seen-call.ts'

export interface LearnOptions extends Allowed {
  /** Sends a request. Undefined without a whole response. Rejects if nobody reaches the service. */
  readonly send: (request: CheckRequest) => Promise<Exchange | undefined>
  readonly now: () => number
  /** `why` says what for: `until the limit resets`. */
  readonly wait: (ms: number, why: string) => Promise<void>
  /** The bound of an earlier run: no window may have fewer calls left. */
  readonly leastLeft?: number | undefined
}

export type LearnRun = Awaited<ReturnType<typeof learnService>>

class Stopped extends Error {}

/**
 * Makes the calls that the options allow, within the bounds of the plan. `leastLeft`: no window had fewer calls left, except one
 * that was used up. `notes`: what was left out, and why, as sentences. `stopped`: why the run ended early; undefined: it did not.
 */
export async function learnService(options: LearnOptions) {
  const { wait, now, writes, bans, exhausts } = options
  const exchanges: Exchange[] = []
  const notes = new Set<string>()
  let calls = 0
  let most: number = bounds.reading
  /** No window may have fewer calls left: half of what the first response shows. */
  let { leastLeft = 0 } = options
  let rate: Rate | undefined

  const untilReset = ({ resetsAt, clock }: Rate) =>
    resetsAt === undefined ? Number.POSITIVE_INFINITY : Math.max(0, resetsAt - clock) + 1_000
  const untilAllowed = async (): Promise<boolean> => {
    if (rate === undefined || rate.remaining > leastLeft) return true
    const ms = untilReset(rate)
    if (ms > bounds.wait) {
      notes.add('Half of the calls of this window are used, and the next one is far off.')
      return false
    }
    await wait(ms, 'until the limit resets')
    rate = undefined
    return true
  }
  /** A GET without a response is sent once more. `expects`: statuses that do not end the run. */
  const send = async (request: CheckRequest, expects: readonly number[] = []) => {
    let exchange: Exchange | undefined
    for (let tries = request.method === 'GET' ? 2 : 1; tries > 0 && exchange === undefined; tries -= 1) {
      calls += 1
      exchange = await options.send(request)
    }
    if (exchange === undefined) return undefined
    exchanges.push(exchange)
    const { status, headers } = exchange.reply
    // An unknown path may be counted for nobody.
    if (hasKey(request) && status < 300) rate = readRate(headers, now()) ?? rate
    const isRefusal = status === 403 || status === 429 || status >= 500
    if (isRefusal && !expects.includes(status))
      throw new Stopped(`The service answered ${request.method} ${request.target} with ${status}.`)
    return exchange
  }
  /** A call within the bounds. It is left out if its window does not come soon. */
  const make = async (request: CheckRequest): Promise<void> => {
    if (calls >= most && request.method === 'GET') return
    if (!hasKey(request) || (await untilAllowed())) await send(request)
  }
  const read = async (): Promise<void> => {
    const first = await send(get('/pets?limit=2'))
    if (first === undefined) throw new Stopped('The first call got no complete response.')
    const { status } = first.reply
    if (status !== 200) throw new Stopped(`The service answered the first call with ${status}.`)
    const left = rate?.remaining
    if (left === undefined) {
      most = bounds.withoutLimits
      notes.add(`No header says how many calls are left, so at most ${bounds.withoutLimits} are made.`)
    } else if (left < bounds.fewestLeft)
      throw new Stopped(`Only ${left} calls are left in this window, fewer than ${bounds.fewestLeft}.`)
    leastLeft = Math.max(leastLeft, Math.ceil((left ?? 0) / 2))
    const pet = listOf(bodyJson(first.reply.body ?? '')).find(isJsonObject)
    const next = /\/pets\?[^#]*/.exec(nextLink(replyByName(first.reply).link) ?? '')
    for (const request of readingRequests(pet && `${pet.id}`, next?.[0])) await make(request)
  }
  /** Uses up a minute, makes refused calls, and waits for two windows that begin off the minute. */
  const exhaust = async (): Promise<void> => {
    rate ??= rateByBehaviour(exchanges)
    const reason = whyNot(rate)
    if (reason !== undefined) {
      notes.add(`No minute was used up: ${reason}.`)
      return
    }
    const expects = [401, 403, 429]
    let last: Exchange | undefined
    const isAccepted = () => last === undefined || last.reply.status < 400
    for (let left = (rate?.remaining ?? 0) + 1; left > 0 && isAccepted(); left -= 1)
      last = await send(get('/pets?limit=1'), expects)
    for (let refused = 1; bans && refused < bounds.refused && last?.reply.status === 429; refused += 1) {
      const wasUntil = waitOf(last)
      await wait(1_000, 'between refused calls')
      last = await send(get('/pets?limit=1'), expects)
      // A ban ends later than the window.
      if (last !== undefined && (waitOf(last) ?? 0) > (wasUntil ?? 0)) break
    }
    if (!exhausts || bans) return
    for (let windows = 2; windows > 0 && last !== undefined; windows -= 1) {
      const ms = waitOf(last) ?? (rate && untilReset(rate))
      if (ms === undefined || ms > bounds.wait) return
      // A window that opens at a whole minute may be one of the calendar, or not.
      const opens = now() + ms
      const isOnMinute = opens % 60_000 < 3_000 || opens % 60_000 > 57_000
      await wait(ms + (isOnMinute ? 7_000 : 1_000), 'until the limit resets')
      last = await send(get('/pets?limit=1'))
    }
  }

  let stopped: string | undefined
  try {
    await read()
    if (writes) for (const request of writingRequests) await make(request)
    if (exhausts || bans) await exhaust()
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    stopped = error.message
  }
  return { exchanges: exchanges as readonly Exchange[], calls, leastLeft, notes: [...notes], stopped }
}

/** The milliseconds that `Retry-After` asks for. */
function waitOf({ reply }: Exchange): number | undefined {
  const headers = replyByName(reply)
  return parseRetryAfter(headers['retry-after'] ?? '', headers.date).ms
}

/** What the limit headers say whose names only their values give away. */
function rateByBehaviour(exchanges: readonly Exchange[]): Rate | undefined {
  const seen = exchanges.flatMap(exchange => seeCall(exchange) ?? [])
  const last = seen.findLast(isAcceptedCall)
  if (last?.date === undefined) return undefined
  const { limit, remaining, resetsAt } = readRates(seen).rateOf(last)
  if (remaining === undefined) return undefined
  return { limit: limit ?? remaining, remaining, resetsAt, clock: last.date }
}

/** Why a minute cannot be used up, as a clause. */
function whyNot(rate: Rate | undefined): string | undefined {
  if (rate === undefined) return 'no header says how many calls are left'
  const { limit, remaining, resetsAt, clock } = rate
  if (remaining > bounds.exhausting) return `${remaining} calls are left, more than ${bounds.exhausting}`
  const isDay = resetsAt === undefined || resetsAt - clock > bounds.wait
  return isDay ? `the headers describe a window of ${limit} calls that is longer than a minute` : undefined
}

/** The exchange of a request and its response, as judges read it. Instants are epoch milliseconds of this machine. */
export function exchangeOf(
  request: CheckRequest,
  { status, headers, text }: WholeAnswer,
  key: string,
  { id, sentAt, answeredAt }: Readonly<Record<'id' | 'sentAt' | 'answeredAt', number>>,
): Exchange {
  const { method, target, body } = request
  const authorization = authorizationOf(request, key)
  const sent = { ...request.headers, ...(authorization && { Authorization: authorization }) }
  const call: Call = {
    method,
    target: `/v1${target}`,
    headers: Object.entries(sent).flat(),
    body: body === undefined ? undefined : new TextEncoder().encode(body),
    scheme: 'http',
    client: '',
    receivedAt: sentAt,
  }
  const reply = { status, headers: asReplyHeaders(Object.entries(headers).flat()), body: text }
  return seenExchange({ id, call, reply, answeredAt, key: undefined })
}
