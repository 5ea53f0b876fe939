import { BoundedMap } from '../../base/bounded-map.ts'
import { countIn } from '../../base/count-in.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { createUnjudged, reasonOf } from '../report/unjudged.ts'
import { createFlightLog } from './flight-log.ts'
import { judgeBackoff } from './judge-backoff.ts'
import { judgeCreates } from './judge-creates.ts'
import { judgePages } from './judge-pages.ts'
import { judgePolling } from './judge-polling.ts'
import { judgeRequests } from './judge-requests.ts'
import { judgeSharedWaits } from './judge-shared-waits.ts'
import { judgeBans, WaitJudge, type WaitOptions } from './judge-waits.ts'
import { createLinks, type OpenCalls, type OpenReason, unjudgedOf } from './links.ts'
import * as observedCall from './observed-call.ts'
import { Tally } from './tally.ts'
import { createUsageLog, mergeUsage, newUsage, type Usage } from './usage.ts'

export type Conduct = ReturnType<typeof createConduct>

const mostKeys = 10_000

/** Judges the conduct of clients call by call, so an observer needs no journal of all calls. */
export function createConduct(context: observedCall.ConductContext) {
  const tally = new Tally(context)
  const gone = new BoundedMap<string, Usage>(mostKeys)
  const open: OpenCalls = new Map()
  const callers = observedCall.createCallers<Caller>({
    create: (exchange, portion) => createCaller(exchange, { tally, open, context, portion }),
    onEnd: caller => addUsage(gone, caller.key, caller.end()),
    startsAt: context.startsAt,
    onRestart: context.onRestart,
  })
  const unjudged = createUnjudged()
  let calls = 0

  return {
    /** As if no further call came. */
    findings: () => tally.findings(openRemarks(callers.all())),
    /** How often expected findings came. */
    came: () => tally.came(openRemarks(callers.all())),
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
        const observed = caller.add(exchange)
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
    usage: () => sumUsage(gone, callers.all()),
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
  const clients = new Map<number | undefined, Client>()
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

type Client = ReturnType<typeof createClient>

function createClient(
  { tally: { note, noteHeld, hold }, context, portion }: Judgement,
  ofKey: Pick<WaitOptions, 'bans' | 'onOpen' | 'onWait'>,
) {
  const links = createLinks(portion)
  const observe = observedCall.createObserver(links)
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
      const observed = observe(exchange)
      waits.judge(observed)
      for (const judge of judges) judge(observed)
      return observed
    },
  }
}

function openRemarks(callers: Iterable<Caller>): readonly observedCall.HeldRemark[] {
  return [...callers].flatMap(caller => caller.open()).flatMap(({ remarks }) => remarks)
}

function sumUsage(gone: ReadonlyMap<string, Usage>, callers: Iterable<Caller>): Map<string, Usage> {
  const all = new Map<string, Usage>()
  for (const [key, usage] of gone) addUsage(all, key, usage)
  for (const { key, usage } of callers) addUsage(all, key, usage)
  return all
}

function addUsage(all: Map<string, Usage>, key: string | undefined, usage: Usage): void {
  if (key !== undefined) all.set(key, mergeUsage(all.get(key) ?? newUsage(), usage))
}
