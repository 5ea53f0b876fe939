import { httpDate } from '../../base/time/http-date.ts'
import type { Answer } from '../../service/call/answer.ts'
import type { Call } from '../../service/call/call.ts'
import type { RateLimit } from '../../service/limits/limit-headers.ts'
import type { LimitReading } from '../../service/limits/limiter.ts'
import { alterReply, type Intervention } from '../gates/apply-rules.ts'
import type { Verdict } from '../gates/decision.ts'
import type { Exchange, Gate } from '../journal/exchange.ts'
import { finish } from '../reply/finish-reply.ts'
import type { Visit } from './call-context.ts'
import type { AreaOperation } from './open-areas.ts'
import type { Operation } from './routes.ts'
import type { Behaviour } from './scenario.ts'

/**
 * What is kept of a call: all that its exchange can be made from, and nothing that can be made. A journal keeps a
 * thousand of them, and few are ever looked at.
 */
export interface Booking {
  readonly id: number
  readonly sandbox: string
  readonly at: number
  readonly date: number
  readonly method: string
  readonly target: string
  readonly headers: readonly string[]
  readonly body: Call['body']
  readonly scheme: Call['scheme']
  readonly client: string
  readonly connection: number | undefined
  readonly receivedAt: number
  readonly gate: Gate
  readonly answer: Answer
  readonly rate: RateLimit | undefined
  readonly corsHeaders: Readonly<Record<string, string>> | undefined
  readonly key: string | undefined
  readonly plan: string | undefined
  readonly limit: LimitReading | undefined
  readonly strikes: number
  readonly bannedUntil: number | undefined
  /** As it was: `--watch` may put others in the place of a world's settings. */
  readonly behaviour: Behaviour
  readonly operation: Operation | undefined
  readonly area: AreaOperation | undefined
  readonly intervention: Intervention | undefined
  /** Set when not all of the bodies is kept. */
  readonly cut: Exchange['cut']
}

/** Takes the next number of the world; the key is copied as it stands, since the next call changes it. */
export function book({ world, call, caller, key, at }: Visit, verdict: Verdict, date: number): Booking {
  const id = world.nextExchange
  world.nextExchange += 1
  return {
    id,
    sandbox: world.sandbox,
    at,
    date,
    method: call.method,
    target: call.target,
    headers: caller.headers,
    body: call.body,
    scheme: call.scheme,
    client: call.client,
    connection: call.connection,
    receivedAt: call.receivedAt,
    gate: verdict.gate,
    answer: verdict.answer,
    rate: verdict.rate,
    corsHeaders: caller.corsHeaders,
    key: key?.text,
    plan: key?.plan,
    limit: verdict.limit,
    strikes: key?.strikes.count ?? 0,
    bannedUntil: key?.strikes.bannedUntil,
    behaviour: world.scenario.behaviour,
    operation: verdict.operation,
    area: verdict.area,
    intervention: verdict.intervention,
    cut: uncut,
  }
}

export function readBooking(booking: Booking): Exchange {
  const { id, sandbox, at, method, target, headers, body, scheme, client, connection, receivedAt } = booking
  const { gate, answer, rate, corsHeaders, key, plan, limit, strikes, bannedUntil, operation, intervention } =
    booking
  const { area } = booking
  return {
    id,
    sandbox,
    at,
    call: { method, target, headers, body, scheme, client, connection, receivedAt },
    reply: alterReply(finish(answer, rate, httpDate(booking.date), corsHeaders, method), intervention),
    trace: {
      gate,
      code: answer.code,
      key,
      plan,
      limit,
      strikes,
      bannedUntil,
      banAfter: strikes > 0 ? booking.behaviour.bans?.after : undefined,
      operation: operation?.id,
      stability: operation?.stability ?? area?.stability,
      area: area && { operation: area.id, source: area.source },
      rules: intervention?.rules,
      synthetic: intervention?.answer !== undefined,
      mismatches: answer.mismatches,
    },
    cut: booking.cut,
  }
}

/** How much of a body is kept: bytes of a call's, UTF-16 code units of a reply's. */
export const keptBody = 16_384

const uncut: Exchange['cut'] = { call: undefined, reply: undefined }

/** Bodies are kept up to 16 KiB: a journal's memory is bounded by its capacity, not by what clients send. */
export function shorten(booking: Booking): Booking {
  const { body, answer } = booking
  const longCall = body instanceof Uint8Array && body.length > keptBody
  const longReply = answer.body.length > keptBody
  if (!longCall && !longReply) return booking
  return {
    ...booking,
    // A copy, not a view: Node's Buffer.slice would keep the whole body in memory.
    body: longCall ? new Uint8Array(body.subarray(0, keptBody)) : body,
    answer: longReply
      ? { ...answer, body: copyText(answer.body.slice(0, keptBody)), octets: undefined }
      : answer,
    cut: { call: longCall ? body.length : undefined, reply: longReply ? answer.length : undefined },
  }
}

/** A slice of a string keeps the whole of it in memory; a copy does not. */
function copyText(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text))
}
