import { skewOf } from '../base/time/clock.ts'
import type { Call, Handle, LateHandle, Reply, UsesBody } from '../service/call/call.ts'
import type { Secrets } from '../service/keys/mask.ts'
import type { CallContext } from './gates/call-context.ts'
import { type AddressOptions, createContextReader } from './gates/context-reader.ts'
import { failed, passGates } from './gates/gates.ts'
import type { OpenAreas, ServedContract } from './gates/open-areas.ts'
import type { Decision, Observer } from './journal/exchange.ts'
import type { JournalLimits } from './journal/journal.ts'
import { costOf, RecordedCall, readRecordedCall, shorten } from './journal/recorded-call.ts'
import { Metrics } from './metrics/metrics.ts'
import { createDateText, finish } from './replies/finish-reply.ts'
import type { RunEvent } from './worlds/run-events.ts'
import { Sandboxes } from './worlds/sandboxes.ts'
import type { Scenario } from './worlds/scenario.ts'

export interface EmulatorOptions extends AddressOptions {
  readonly scenario: Scenario
  /** The door's time now: milliseconds since the epoch. */
  readonly startedAt: number
  /** Milliseconds that no change of the system's clock affects. With it, clocks return with the system's. */
  readonly steady?: () => number
  /** Whether `X-Pet-Mock` marks injected replies. Default: true. */
  readonly marks?: boolean
  /** What outputs mask. Default: the shipped list of names. */
  readonly secrets?: Secrets
  /** What the journals may keep. Default: 1,000 calls of each sandbox, and 64 MB of all together. */
  readonly journal?: JournalLimits
  /** Carries out an event of a scenario. A text says why it cannot. Required for scenarios with events. */
  readonly runEvent?: RunEvent
  readonly contract?: ServedContract
  /** Passes the gates in place of `passGates`, to judge what they do. */
  readonly pass?: typeof passGates
  /** Receives a sentence that a person should read. */
  readonly onNotice?: (text: string) => void
  /** pet-mock itself failed on a call; the client has its 500 (A20). */
  readonly onError?: (error: unknown, call: Call) => void
}

export interface Emulator {
  /**
   * Answers a call at once: one call is one indivisible step, so counts are exact under any concurrency.
   * Throws a RangeError if the answer comes later.
   */
  readonly handle: Handle
  /** The same for a door that can wait: some answers come later. */
  readonly answer: LateHandle
  /** What the gates decide, without a reply or a record: for simulations of millions of calls. */
  readonly decide: (call: Call) => { readonly context: CallContext; readonly decision: Decision }
  /** Whether the body can matter to the answer: host, path and key are no reason to refuse the call. Changes nothing. */
  readonly usesBody: UsesBody
  /** Replaces the operations that are served besides the emulated ones. */
  readonly openAreas: (areas: OpenAreas) => void
  readonly areas: () => OpenAreas | undefined
  readonly sandboxes: Sandboxes
  readonly metrics: Metrics
  /** Grows with every change in any world. It is the sum of existing counters, so it costs a call nothing. */
  readonly revision: () => number
  /** Grows with every change that no call made, such as a new clock, and with the events of a scenario. */
  readonly changes: () => number
  /** Calls back after each exchange, in order, until the returned function is called. */
  readonly observe: (observer: Observer) => () => void
}

export function createEmulator(options: EmulatorOptions): Emulator {
  const { onNotice = () => {}, marks = true, pass = passGates } = options
  const sandboxes = new Sandboxes(options, onNotice)
  const { readContext, usesBody } = createContextReader(options, sandboxes, onNotice)
  const dateText = createDateText()
  const metrics = new Metrics()
  const observers = new Set<Observer>()
  const inTurn = createTurns()
  let opened: OpenAreas | undefined
  let areas: OpenAreas | undefined

  const fail = (context: CallContext, error: unknown): Decision => {
    options.onError?.(error, context.call)
    return failed(context)
  }

  const conclude = (context: CallContext, bare: Decision): Reply => {
    const { call, caller, world, date } = context
    const decision = world.dress === undefined ? bare : world.dress(bare, context)
    const { answer, rate, intervention } = decision
    const reply = finish(answer, rate, dateText(date), caller.corsHeaders, call.method, intervention)
    const id = answer.isUnrecorded ? undefined : world.nextExchange
    if (id !== undefined) {
      const recorded = recordCall(context, decision, date)
      const exchange = observers.size === 0 ? undefined : readRecordedCall(recorded)
      world.journal.add(recorded, costOf(recorded, shorten(recorded, caller.headerBytes)))
      metrics.count(context, decision)
      if (exchange !== undefined) for (const observer of observers) observer(exchange)
    }
    sandboxes.listener?.answered(call, caller.headers, reply, world, id)
    return reply
  }

  const answer: LateHandle = call => {
    const { context, hostRefusal } = readContext(call)
    let decision: Decision | Promise<Decision>
    try {
      decision = pass(context, hostRefusal, areas, marks, options.contract)
    } catch (error) {
      decision = fail(context, error)
    }
    if (!(decision instanceof Promise)) return conclude(context, decision)
    sandboxes.listener?.arrived?.(context.call)
    return decision.catch(error => fail(context, error)).then(late => conclude(context, late))
  }

  return {
    handle: call => {
      const reply = answer(call)
      if (reply instanceof Promise)
        throw new RangeError('This call reached an open area, which answers later.')
      return reply
    },
    answer,
    decide: call => {
      const { context, hostRefusal } = readContext(call)
      const decision = pass(context, hostRefusal, undefined, marks)
      if (decision instanceof Promise) throw new RangeError('Only an open area answers later.')
      const { world } = context
      world.nextExchange += 1
      return { context, decision: world.dress?.(decision, context) ?? decision }
    },
    usesBody,
    openAreas: given => {
      opened = given
      areas = { ...given, find: inTurn(given) }
      sandboxes.listener?.opened?.()
    },
    areas: () => opened,
    sandboxes,
    metrics,
    revision: () => metrics.calls.total + sandboxes.changes,
    changes: () => sandboxes.changes,
    observe: observer => {
      observers.add(observer)
      return () => observers.delete(observer)
    },
  }
}

/** Lets open areas answer one call after the other, in the order of the calls, so that a run can be repeated. */
function createTurns(): (areas: OpenAreas) => OpenAreas['find'] {
  let last: Promise<unknown> | undefined
  return areas => (path, method) => {
    const operation = areas.find(path, method)
    if (operation === undefined) return undefined
    const answerInTurn = (context: CallContext) => {
      const before = last
      const answer = before ? before.then(() => operation.answer(context)) : operation.answer(context)
      if (!(answer instanceof Promise)) return answer
      const done = () => {}
      const end = answer.then(done, done)
      last = end
      void end.then(() => {
        if (last === end) last = undefined
      })
      return answer
    }
    return { ...operation, answer: answerInTurn }
  }
}

/** Takes the next exchange id of the world, and copies the key's state, since the next call changes it. */
export function recordCall(context: CallContext, decision: Decision, date: number): RecordedCall {
  const { world, call, caller, key, target, at, events } = context
  const recorded = world.journal.reuse() ?? new RecordedCall()
  const strikes = key?.strikes.count ?? 0
  // Where bans were switched off, no ban holds. Few keys have a strike or a ban.
  const bans = strikes || key?.strikes.bannedUntil ? world.scenario.behaviour.bans : undefined
  recorded.id = world.nextExchange
  world.nextExchange += 1
  recorded.sandbox = world.sandbox
  recorded.at = at
  recorded.scale = world.clock.scale
  recorded.date = date
  recorded.skewMs = skewOf(world.clock)
  recorded.method = call.method
  recorded.target = target.text
  recorded.headers = caller.headers
  recorded.body = call.body
  recorded.scheme = call.scheme
  recorded.client = call.client
  recorded.connection = call.connection
  recorded.receivedAt = call.receivedAt
  recorded.order = call.order ?? Number.NaN
  recorded.timing = call.timing
  recorded.corsHeaders = caller.corsHeaders
  recorded.key = key?.text
  recorded.plan = key?.plan
  recorded.strikes = strikes
  recorded.bannedUntil = bans && key?.strikes.bannedUntil
  recorded.bannedByHand = key?.strikes.byHand
  recorded.banAfter = strikes ? bans?.after : undefined
  recorded.events = events
  recorded.decide(decision)
  return recorded
}
