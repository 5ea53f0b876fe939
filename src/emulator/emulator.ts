import type { Call, Handle } from '../call/call.ts'
import { headerValue } from '../call/headers.ts'
import { readTarget } from '../call/target.ts'
import type { Exchange, Observer } from '../journal/exchange.ts'
import { readCredential } from '../keys/credential.ts'
import { readClock } from '../time/clock.ts'
import { answerOptions, createCors } from './cors.ts'
import { createFinish } from './finish.ts'
import { passGates } from './gates.ts'
import { createHostGuard } from './host-guard.ts'
import { tellDate } from './rate.ts'
import { Sandboxes } from './sandboxes.ts'
import type { Scenario } from './scenario.ts'
import type { Verdict } from './verdict.ts'
import type { Visit } from './visit.ts'

export interface EmulatorOptions {
  readonly scenario: Scenario
  /** The door's time now: milliseconds since the epoch. */
  readonly startedAt: number
  /** Names beside this machine's own by which clients may call it; `*`: any (A22). */
  readonly allowedHosts?: readonly string[] | '*'
  /** Origins whose pages may read replies; without it, loopback ones (A19). */
  readonly cors?: readonly string[] | '*'
  /** Something that a person should know, as a sentence. */
  readonly onNotice?: (text: string) => void
  /** pet-mock itself failed on a call; the client has its 500 (A20). */
  readonly onError?: (error: unknown, call: Call) => void
}

export interface Emulator {
  /** Answers a call at once: one call is one indivisible step, so counts are exact however many come in parallel. */
  readonly handle: Handle
  readonly sandboxes: Sandboxes
  /** Calls back after each exchange, in order, until the returned function is called. */
  readonly observe: (observer: Observer) => () => void
}

export function createEmulator(options: EmulatorOptions): Emulator {
  const sandboxes = new Sandboxes(options.scenario, options.startedAt, options.onNotice ?? (() => {}))
  const checkHost = createHostGuard(options.allowedHosts ?? [])
  const cors = createCors(options.cors)
  const finish = createFinish()
  const observers = new Set<Observer>()
  const onError = (error: unknown, { call }: Visit) => options.onError?.(error, call)

  const handle: Handle = call => {
    const target = readTarget(call.target)
    const host = target.authority ?? headerValue(call.headers, 'host')
    const hostRefusal = checkHost(host)
    const credential = readCredential(call.headers)
    const { world, key } =
      hostRefusal === undefined
        ? sandboxes.find(credential, call.receivedAt)
        : { world: sandboxes.default, key: undefined }
    const at = readClock(world.clock, call.receivedAt)
    const origin = typeof host === 'string' ? `${call.scheme}://${host}` : ''
    const visit: Visit = { call, target, world, credential, key, at, origin }

    const corsHeaders = hostRefusal === undefined ? cors(call.headers) : undefined
    const verdict = passGates(visit, {
      hostRefusal,
      answerOptions: () => answerOptions(call.headers, corsHeaders),
      onError,
    })
    const reply = finish(verdict.answer, verdict.rate, tellDate(visit), corsHeaders, call.method)
    const exchange = recordExchange(visit, verdict, reply)
    for (const observer of observers) observer(exchange)
    return reply
  }

  return {
    handle,
    sandboxes,
    observe: observer => {
      observers.add(observer)
      return () => observers.delete(observer)
    },
  }
}

function recordExchange(
  { world, call, key, at }: Visit,
  verdict: Verdict,
  reply: Exchange['reply'],
): Exchange {
  const exchange: Exchange = {
    id: world.nextExchange,
    sandbox: world.sandbox,
    at,
    call,
    reply,
    trace: {
      gate: verdict.gate,
      code: verdict.answer.code,
      key: key?.text,
      plan: key?.plan,
      limit: verdict.limit,
      strikes: key?.strikes.count ?? 0,
      bannedUntil: key?.strikes.bannedUntil,
      operation: verdict.operation?.id,
      stability: verdict.operation?.stability,
    },
  }
  world.nextExchange += 1
  world.journal.add(exchange)
  return exchange
}
