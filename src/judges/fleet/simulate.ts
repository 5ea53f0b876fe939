import { draw, fork } from '../../base/random/random.ts'
import { createEventRunner } from '../../control/change/run-event.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { CallContext } from '../../emulator/gates/call-context.ts'
import type { Decision } from '../../emulator/journal/exchange.ts'
import { createDateText, finish } from '../../emulator/replies/finish-reply.ts'
import type { Reply } from '../../service/call/call.ts'
import { faultName, faultTraits } from '../../service/call/fault.ts'
import { createBucket } from './bucket.ts'
import { EventQueue } from './event-queue.ts'
import { createFigures } from './figures.ts'
import { arrivalsOf, type Fleet, type Group, restartsOf } from './fleet.ts'
import type { CreatePolicy, FleetCall, FleetContext, FleetResponse } from './policy.ts'

type Instance = ReturnType<typeof createInstances>[number]

const nothing: FleetCall = { wantedAt: 0, attempt: 0 }

interface Event {
  readonly at: number
  readonly act: 'ask' | 'send' | 'see' | 'restart'
  readonly instance: Instance
  readonly call: FleetCall
  /** Whether the next job waits for this one. */
  readonly isHead: boolean
  readonly response: Response | undefined
  /** Set by the queue. */
  order: number
}

/** More calls cut the run. */
export const mostCalls = 3_000_000

export type Simulation = Awaited<ReturnType<typeof simulate>>

interface SimulationOptions {
  /** The name in the picture. */
  readonly name: string
  readonly create: CreatePolicy
  /** More calls cut the run. */
  readonly mostCalls: number
  /** The part of the quota that limiters may use, from 0 to 1. */
  readonly part?: number
  /** Ends the run at the first ban: enough to know that something is not safe. */
  readonly untilBanned?: boolean
  /** Receives each call, in order. */
  readonly onCall?: (at: number, key: string, status: number) => void
}

/** Runs a fleet in virtual time. The same fleet gives the same figures. Waits only for the policy. */
export async function simulate(fleet: Fleet, options: SimulationOptions) {
  const { scenario, startedAt, length } = fleet
  const { name, create, mostCalls, untilBanned = false, onCall } = options
  const end = startedAt + length
  const { limits } = scenario.behaviour
  const emulator = createEmulator({
    scenario: { ...scenario, clock: { ...scenario.clock, at: startedAt, scale: 1 } },
    startedAt,
    runEvent: createEventRunner(),
  })
  const queue = new EventQueue<Event>()
  // One shape for all events: the engine reads them faster.
  const plan = (
    at: number,
    act: Event['act'],
    instance: Instance,
    call = nothing,
    isHead = false,
    response?: Response,
  ) => queue.add({ at, act, instance, call, isHead, response, order: 0 })
  let now = startedAt
  const instances = createInstances(fleet, create, () => now, options.part ?? 1)
  const figures = createFigures(instances.length, startedAt, length, limits.window === 'calendar')
  const call = createCaller(emulator)

  const ask = (instance: Instance) => {
    const wantedAt = instance.arrivals()
    instance.wantedAt = wantedAt
    if (wantedAt >= end) return
    figures.wanted(instance.number)
    const at = Math.max(now, wantedAt, startedAt + instance.group.start)
    plan(at, 'ask', instance, { wantedAt, attempt: 1 }, true)
  }
  const send = ({ instance, call: job }: Event) => {
    const { group } = instance
    const response = call(group, now)
    const { context, decision, status } = response
    figures.sent(context, decision, now)
    onCall?.(now, group.key, status)
    plan(now + group.latency + (decision.intervention?.delayMs ?? 0), 'see', instance, job, false, response)
  }
  const place = (event: Event, at: number | undefined) => {
    const { instance, isHead } = event
    if (at !== undefined && at > now) {
      plan(at, 'send', instance, event.call, isHead)
      return
    }
    if (at !== undefined) send(event)
    if (isHead) ask(instance)
  }

  for (const instance of instances) {
    ask(instance)
    for (const after of instance.restarts) plan(startedAt + after, 'restart', instance)
  }
  let isCut = false
  for (let event = queue.take(); event !== undefined && event.at < end; event = queue.take()) {
    now = event.at
    const { act, instance, call: job, response } = event
    if (act === 'ask') {
      const at = instance.policy.next(job)
      place(event, at instanceof Promise ? await at : at)
    } else if (act === 'send') {
      send(event)
      if (event.isHead) ask(instance)
    } else if (act === 'restart') {
      instance.policy = create(instance.context)
      // What waited for the old policy asks the new one.
      for (const waiting of queue.remove(one => one.act === 'send' && one.instance === instance)) {
        const at = instance.policy.next(waiting.call)
        place(waiting, at instanceof Promise ? await at : at)
      }
    } else if (response !== undefined) {
      const given = instance.policy.seen(response, job)
      const at = given instanceof Promise ? await given : given
      if (at !== undefined)
        plan(Math.max(now, at), 'send', instance, { wantedAt: job.wantedAt, attempt: job.attempt + 1 })
      else if (response.status >= 200 && response.status < 400)
        figures.done(instance.number, now - job.wantedAt)
    }
    isCut = figures.calls() >= mostCalls
    if (isCut || (untilBanned && figures.isBanned())) break
  }
  const until = isCut ? now : end
  for (const { number, arrivals, wantedAt } of instances) {
    if (wantedAt >= until && wantedAt < end) figures.wanted(number, -1)
    // Jobs that nobody asked for yet.
    if (wantedAt < until) while (arrivals() < until) figures.wanted(number)
  }
  return { figures: figures.end(until, isCut), picture: figures.picture(name) }
}

/** Instances with a policy for each. Those of one key share its quota, or `part` of it. */
function createInstances(
  { scenario, groups, seed, startedAt, length }: Fleet,
  create: CreatePolicy,
  now: () => number,
  part: number,
) {
  const { limits } = scenario.behaviour
  const isCalendar = limits.window === 'calendar'
  const keys = new Map<string, Pick<FleetContext, 'quota' | 'shared' | 'instances'>>()
  for (const { key, instances } of groups) {
    const { minute, day } = scenario.keys.get(key)?.quota ?? { minute: 0, day: 0 }
    const quota = { minute: minute * part, day: day * part }
    const known = keys.get(key) ?? {
      quota,
      shared: createBucket(quota, limits.window ?? 'first-call'),
      instances: 0,
    }
    keys.set(key, { ...known, instances: known.instances + instances })
  }
  let number = 0
  return groups.flatMap(group =>
    Array.from({ length: group.instances }, (_, place) => {
      const context = {
        instance: number,
        now,
        random: createRandom(fork(seed, `policy ${number}`)),
        isCalendar,
        ...(keys.get(group.key) as Pick<FleetContext, 'quota' | 'shared' | 'instances'>),
      }
      const random = createRandom(fork(seed, `arrivals ${number}`))
      number += 1
      return {
        number: context.instance,
        group,
        context,
        arrivals: arrivalsOf(group, place, startedAt, random),
        /** From the start of the fleet. */
        restarts: restartsOf(group, place, length),
        /** The last arrival that was taken. */
        wantedAt: 0,
        policy: create(context),
      }
    }),
  )
}

function createRandom(seed: number): () => number {
  let draws = 0
  return () => {
    draws += 1
    return draw(seed, draws)
  }
}

/** Makes the call of a group at an instant. Only a policy that looks at a response pays for its text. */
function createCaller({ decide }: Emulator) {
  const dateText = createDateText()
  const headers = new Map<Group, readonly string[]>()
  return (group: Group, receivedAt: number) => {
    const known = headers.get(group) ?? ['Host', '127.0.0.1', 'Authorization', `Bearer ${group.key}`]
    headers.set(group, known)
    const { method, target } = group.call
    const client = '127.0.0.1'
    const call = {
      method,
      target,
      headers: known,
      body: undefined,
      scheme: 'http',
      client,
      receivedAt,
    } as const
    const { context, decision } = decide(call)
    return new Response(context, decision, dateText)
  }
}

class Response implements FleetResponse {
  readonly status: number
  readonly context: CallContext
  readonly decision: Decision
  readonly #dateText: (date: number) => string
  #reply: Reply | undefined = undefined

  constructor(context: CallContext, decision: Decision, dateText: (date: number) => string) {
    const { answer, intervention } = decision
    const { fault } = intervention ?? {}
    this.status = fault !== undefined && faultTraits[faultName(fault)].arrives !== 'whole' ? 0 : answer.status
    this.context = context
    this.decision = decision
    this.#dateText = dateText
  }

  get headers(): Readonly<Record<string, string>> {
    return this.status === 0 ? {} : this.#get().headers
  }

  get body(): string {
    return this.status === 0 ? '' : (this.#get().body ?? '')
  }

  #get(): Reply {
    const { date, caller, call } = this.context
    const { answer, rate, intervention } = this.decision
    this.#reply ??= finish(answer, rate, this.#dateText(date), caller.corsHeaders, call.method, intervention)
    return this.#reply
  }
}
