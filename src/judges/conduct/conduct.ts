import { BoundedMap } from '../../base/bounded-map.ts'
import { countIn } from '../../base/count-in.ts'
import { deliveryOf, type Exchange } from '../../emulator/journal/exchange.ts'
import { remaining, type WindowReading } from '../../service/limits/limiter.ts'
import type { Flight, FlightCall, FlightSpan } from '../report/flight.ts'
import { createUnjudged, reasonOf } from '../report/unjudged.ts'
import { judgeBackoff } from './judge-backoff.ts'
import { judgeCreates } from './judge-creates.ts'
import { judgePages } from './judge-pages.ts'
import { judgePolling } from './judge-polling.ts'
import { judgeRequests } from './judge-requests.ts'
import { judgeBans, judgeSharedWaits, WaitJudge, type WaitOptions } from './judge-waits.ts'
import { createLinks, type OpenCalls, type OpenReason, unjudgedOf } from './links.ts'
import * as observedCall from './observed-call.ts'
import { createTally, type Tally } from './tally.ts'
import { createUsageLog, mergeUsage, newUsage, type Usage } from './usage.ts'
import type { Wait } from './wait.ts'

export type Conduct = ReturnType<typeof createConduct>

const mostKeys = 10_000

/** Judges the conduct of clients call by call, so an observer needs no journal of all calls. */
export function createConduct(context: observedCall.ConductContext) {
  const tally = createTally(context)
  const gone = new BoundedMap<string, Usage>(mostKeys)
  const open: OpenCalls = new Map()
  const callers = observedCall.createCallers<Caller>({
    ...context,
    create: (exchange, portion) => createCaller(exchange, { tally, open, context, portion }),
    onEnd: caller => addUsage(gone, caller.key, caller.end()),
  })
  const unjudged = createUnjudged()
  const countOpen = () => [...open.values()].reduce((sum, count) => sum + count, 0)
  let calls = 0

  return {
    /** As if no further call came. */
    findings: () => tally.findings(openRemarks(callers.all())),
    /** How often expected findings came. */
    came: () => tally.came(openRemarks(callers.all())),
    doubted: tally.doubted,
    /** Calls that it cannot judge, as if no further call came. */
    doubts: () => {
      const all = new Map(open)
      for (const { unjudged: count } of callers.all().flatMap(caller => caller.open()))
        if (count > 0) countIn(all, 'gone', count)
      return unjudgedOf(all)
    },
    unjudged,
    /** Takes the next exchange. The exchanges of a sandbox must be in order. */
    add: (exchange: Exchange) => {
      if (!observedCall.reachesApi(exchange)) return
      const { instance, stranger } = exchange.call.connection ?? {}
      try {
        if (stranger !== undefined) {
          const detail = `instance ${stranger} made it at the address of another instance`
          unjudged.add({ ...observedCall.evidenceOf(exchange, context.textOf(exchange)), detail })
          return
        }
        const { name, caller } = callers.of(exchange)
        const before = countOpen()
        const observed = caller.add(exchange)
        if (countOpen() > before) tally.doubt(exchange)
        calls += 1
        context.onObserved?.(`${name}${instance ?? ''}`, observed)
      } catch (error) {
        // The keys of this call may be unknown, so hide its texts.
        unjudged.add({ ...observedCall.evidenceOf(exchange, () => '…'), detail: reasonOf(error) }, true)
        context.onError?.(error)
      }
    },
    callers: callers.all,
    /** By key, over all sandboxes. */
    usage: () => {
      const all = new Map<string, Usage>()
      for (const [key, usage] of gone) addUsage(all, key, usage)
      for (const { key, usage } of callers.all()) addUsage(all, key, usage)
      return all
    },
    calls: () => calls,
    maskKey: context.secrets.maskKey,
    forgotten: callers.forgotten,
  }
}

/** The calls of one key in one sandbox, or of one address without a valid key. */
export type Caller = ReturnType<typeof createCaller>

interface Judgement {
  readonly tally: Tally
  readonly open: OpenCalls
  readonly context: observedCall.ConductContext
  readonly portion: observedCall.Portion
}

function createCaller({ sandbox, trace: { key } }: Exchange, judgement: Judgement) {
  const { tally, open, portion } = judgement
  const flight = createFlightLog(portion)
  const { usage, add } = createUsageLog(portion)
  const onOpen = (reason: OpenReason) => countIn(open, reason)
  const bans = judgeBans(tally.note, onOpen)
  const judgeShared = judgeSharedWaits(tally.note, onOpen)
  /** By instance. Undefined: the calls of one client. */
  const clients = new Map<number | undefined, ReturnType<typeof createClient>>()
  const createOne = () =>
    createClient(
      { ...judgement, portion: () => portion() / clients.size },
      { bans, onOpen, onWait: flight.addWait },
    )
  return {
    sandbox,
    key,
    usage,
    flight,
    /** What later calls decide, as if none came. */
    open: () => Array.from(clients.values(), ({ waits }) => waits.open()),
    /** No further call of it will come. */
    end: () => {
      for (const { waits } of clients.values()) waits.end()
      return usage
    },
    add: (exchange: Exchange): observedCall.ObservedCall => {
      const instance = exchange.call.connection?.instance
      const client = clients.get(instance) ?? createOne()
      clients.set(instance, client)
      const observed = client.judge(exchange)
      if (instance !== undefined) judgeShared(observed)
      add(observed)
      flight.add(exchange)
      return observed
    },
  }
}

function createClient(
  { tally: { note, noteHeld, hold }, context, portion }: Judgement,
  ofKey: Pick<WaitOptions, 'bans' | 'onOpen' | 'onWait'>,
) {
  const links = createLinks(portion)
  const waits = new WaitJudge({ ...ofKey, links, note, noteHeld, hold, portion })
  const judges = [
    judgeBackoff(waits.note, portion),
    judgeRequests(note, context, portion),
    judgePolling(note, portion),
    judgePages(note, portion),
    judgeCreates(note, portion),
  ]
  return {
    waits,
    judge: (exchange: Exchange): observedCall.ObservedCall => {
      const fingerprint = observedCall.fingerprintOf(exchange.call)
      const of = { exchange, fingerprint, delivery: deliveryOf(exchange), standing: 'free' } as const
      const observed: observedCall.ObservedCall = { ...of, ...links.of(exchange, fingerprint) }
      waits.judge(observed)
      for (const judge of judges) judge(observed)
      return observed
    },
  }
}

function openRemarks(callers: Iterable<Caller>): readonly observedCall.HeldRemark[] {
  return [...callers].flatMap(caller => caller.open()).flatMap(({ remarks }) => remarks)
}

function addUsage(all: Map<string, Usage>, key: string | undefined, usage: Usage): void {
  if (key !== undefined) all.set(key, mergeUsage(all.get(key) ?? newUsage(), usage))
}

const mostCalls = 1_000
const mostSpans = 200

/** The last calls of one caller, for its chart. */
function createFlightLog(portion: observedCall.Portion) {
  let calls: FlightCall[] = []
  let spans: FlightSpan[] = []
  let omitted = 0
  const trim = () => {
    const over = calls.length - Math.ceil(mostCalls * portion())
    if (over > 0) calls = calls.slice(over)
    omitted += Math.max(0, over)
  }
  return {
    add: ({ id, at, reply: { status }, trace: { limit } }: Exchange) => {
      const shareOf = (window: WindowReading) => [remaining(window), window.limit] as const
      const left = limit ? { minute: shareOf(limit.minute), day: shareOf(limit.day) } : null
      calls.push({ id, at, status, left })
      // Trimming at every call would be slow.
      if (calls.length >= 2 * mostCalls * portion()) trim()
    },
    addWait: ({ from, until, knownAt, clientUntil, bannedFrom }: Wait) => {
      const end = Number.isFinite(until) ? until : from + (clientUntil - knownAt)
      // A ban may begin during a wait.
      const wait = { kind: 'wait', from, to: bannedFrom ?? end } as const
      const ban = { kind: 'ban', from: bannedFrom ?? end, to: end } as const
      const others = spans.filter(
        span => span.from !== wait.from && !(span.kind === 'ban' && span.from === ban.from),
      )
      spans = [...others, wait, ban]
        .filter(({ from, to }) => to > from)
        .slice(-Math.ceil(mostSpans * portion()))
    },
    flight: (title: string): Flight => {
      trim()
      const first = calls[0]?.at ?? 0
      return { title, calls: [...calls], spans: spans.filter(({ to }) => to > first), omitted }
    },
  }
}
