import { readClock } from '../base/time/clock.ts'
import type { Answer } from '../service/call/answer.ts'
import type { Call, Handle, LateHandle, Reply } from '../service/call/call.ts'
import { repeated } from '../service/call/headers.ts'
import { readTarget } from '../service/call/target.ts'
import { alterReply } from './gates/apply-rules.ts'
import type { Verdict } from './gates/decision.ts'
import { failed, passGates } from './gates/gates.ts'
import { createHostGuard } from './gates/host-guard.ts'
import { tellDate } from './gates/rate-limit.ts'
import type { Observer } from './journal/exchange.ts'
import { measure } from './metrics/count-call.ts'
import { Metrics } from './metrics/metrics.ts'
import { createCors } from './reply/cors.ts'
import { createDateText, finish } from './reply/finish-reply.ts'
import type { Visit } from './worlds/call-context.ts'
import { createCallerReader, stranger } from './worlds/caller.ts'
import type { OpenAreas } from './worlds/open-areas.ts'
import { book, readBooking, shorten } from './worlds/recorded-call.ts'
import { Sandboxes } from './worlds/sandboxes.ts'
import type { Scenario } from './worlds/scenario.ts'

export interface EmulatorOptions {
  readonly scenario: Scenario
  /** The door's time now: milliseconds since the epoch. */
  readonly startedAt: number
  /** Names beside this machine's own by which clients may call it; `*`: any (A22). */
  readonly allowedHosts?: readonly string[] | '*'
  /** Origins whose pages may read replies; without it, loopback ones (A19). */
  readonly cors?: readonly string[] | '*'
  /** Whether replies that are made up say so, by `X-Pet-Mock`: they do unless this is false. */
  readonly marks?: boolean
  /** Something that a person should know, as a sentence. */
  readonly onNotice?: (text: string) => void
  /** pet-mock itself failed on a call; the client has its 500 (A20). */
  readonly onError?: (error: unknown, call: Call) => void
}

export interface Emulator {
  /**
   * Answers a call at once: one call is one indivisible step, so counts are exact however many come in parallel.
   * Throws a RangeError where an open area can only promise an answer.
   */
  readonly handle: Handle
  /** The same for a door that can wait: a call of an open area may take a moment, any other is answered at once. */
  readonly answer: LateHandle
  /** From now on, this is served beside the emulated operations, in the place of what was before. */
  readonly openAreas: (areas: OpenAreas) => void
  readonly sandboxes: Sandboxes
  /** Counted from the start. */
  readonly metrics: Metrics
  /**
   * Grows whenever anything in any world may be another, and never falls. It is put together when somebody asks, from
   * what is counted anyway, so that it costs a call nothing.
   */
  readonly revision: () => number
  /** Calls back after each exchange, in order, until the returned function is called. */
  readonly observe: (observer: Observer) => () => void
}

export function createEmulator(options: EmulatorOptions): Emulator {
  const onNotice = options.onNotice ?? (() => {})
  const sandboxes = new Sandboxes(options.scenario, options.startedAt, onNotice)
  const checkHost = createHostGuard(options.allowedHosts ?? [])
  const readCaller = createCallerReader(createCors(options.cors, onNotice))
  const dateText = createDateText()
  const marks = options.marks ?? true
  const metrics = new Metrics()
  const observers = new Set<Observer>()
  let areas: OpenAreas | undefined

  const fail = (visit: Visit, error: unknown): Verdict => {
    options.onError?.(error, visit.call)
    return failed(visit)
  }

  const decide = (visit: Visit, hostRefusal: Answer | undefined): Verdict | Promise<Verdict> => {
    try {
      return passGates(visit, hostRefusal, marks)
    } catch (error) {
      return fail(visit, error)
    }
  }

  const conclude = (visit: Visit, verdict: Verdict): Reply => {
    const { call, caller, world } = visit
    const date = tellDate(visit)
    const usual = finish(verdict.answer, verdict.rate, dateText(date), caller.corsHeaders, call.method)
    const reply = alterReply(usual, verdict.intervention)
    const booking = book(visit, verdict, date)
    if (world.journal.add(shorten(booking))) metrics.journalEvictions += 1
    measure(metrics, visit, verdict)
    if (observers.size > 0) {
      const exchange = readBooking(booking)
      for (const observer of observers) observer(exchange)
    }
    return reply
  }

  const answer: LateHandle = call => {
    const target = readTarget(call.target)
    const known = readCaller(call.headers)
    // Several Host lines are refused whatever the target says (RFC 9112, section 3.2).
    const host = known.host === repeated ? repeated : (target.authority ?? known.host)
    const hostRefusal = checkHost(host)
    const caller = hostRefusal === undefined ? known : stranger(known)
    const { world, key } = sandboxes.find(caller.credential, call.receivedAt)
    const at = readClock(world.clock, call.receivedAt)
    const origin = typeof host === 'string' ? `${call.scheme}://${host}` : ''
    const visit: Visit = {
      call,
      target,
      world,
      caller,
      key,
      at,
      areas,
      origin,
      counted: undefined,
      reached: undefined,
    }

    const verdict = decide(visit, hostRefusal)
    if (!(verdict instanceof Promise)) return conclude(visit, verdict)
    return verdict.catch(error => fail(visit, error)).then(late => conclude(visit, late))
  }

  const handle: Handle = call => {
    const reply = answer(call)
    if (reply instanceof Promise) throw new RangeError('An open area only promises its answer.')
    return reply
  }

  return {
    handle,
    answer,
    openAreas: opened => {
      areas = opened
    },
    sandboxes,
    metrics,
    revision: () => metrics.calls.total + sandboxes.changes,
    observe: observer => {
      observers.add(observer)
      return () => observers.delete(observer)
    },
  }
}
