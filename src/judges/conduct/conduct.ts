import type { Exchange } from '../../emulator/journal/exchange.ts'
import { createUnjudged, reasonOf } from '../report/unjudged.ts'
import { createActors } from './actors.ts'
import { BoundedMap } from './bounded-map.ts'
import { createBursts } from './bursts.ts'
import { deliveryOf } from './delivery.ts'
import { createDoubts, type Doubts } from './doubts.ts'
import { createFlightLog } from './flight-log.ts'
import { judgeBackoff } from './judge-backoff.ts'
import { judgeCreates } from './judge-creates.ts'
import { judgePages } from './judge-pages.ts'
import { judgePolling } from './judge-polling.ts'
import { judgeRequests } from './judge-requests.ts'
import { judgeWaits } from './judge-waits.ts'
import {
  type ConductContext,
  evidenceOf,
  fingerprintOf,
  type HeldRemark,
  type Note,
  type Portion,
} from './observed-call.ts'
import { Suspicions } from './suspicions.ts'
import { Tally } from './tally.ts'
import { createUsageLog, mergeUsage, newUsage, type Usage } from './usage.ts'

export type Conduct = ReturnType<typeof createConduct>

/** With more callers at once, the oldest count as new when they call again. */
const mostCallers = 1_000

const mostSandboxes = 2_000
const mostKeys = 10_000

/** So many callers may use all the memory of a caller. */
const fullCallers = 50

/** Judges the conduct of clients call by call, so an observer needs no journal of all calls. */
export function createConduct(context: ConductContext) {
  const tally = new Tally(context)
  const gone = new BoundedMap<string, Usage>(mostKeys)
  const doubts = createDoubts()
  const retire = (caller: Caller) => addUsage(gone, caller.key, caller.end())
  const callers = new BoundedMap<string, Caller>(mostCallers, { onDropped: retire })
  const newest = new BoundedMap<string, number>(mostSandboxes)
  const unjudged = createUnjudged('error')
  const portion = () => Math.min(1, fullCallers / callers.size)
  let calls = 0

  /** In a sandbox that restarts, clients have no waits or bans. */
  const restart = (sandbox: string) => {
    for (const [name, caller] of [...callers]) {
      if (caller.sandbox !== sandbox) continue
      retire(caller)
      callers.delete(name)
    }
  }

  const judge = (exchange: Exchange) => {
    const { id, sandbox } = exchange
    const start = context.startsAt(exchange)
    // An exchange from before the start may come after it.
    if (id >= start && (newest.get(sandbox) ?? start) < start) restart(sandbox)
    newest.set(sandbox, id)
    const name = callerOf(exchange)
    const caller = callers.get(name) ?? createCaller(exchange, { tally, doubts, context, portion })
    callers.set(name, caller)
    caller.add(exchange)
    calls += 1
  }

  return {
    /** As if no further call came. */
    findings: () => tally.findings(openRemarks(callers.values())),
    /** How often expected findings came. */
    came: () => tally.came(openRemarks(callers.values())),
    notes: () => doubts.notes(sumDoubts(callers.values())),
    unjudged,
    /** Takes the next exchange. The exchanges of a sandbox must be in order. */
    add: (exchange: Exchange) => {
      if (!reachesApi(exchange)) return
      try {
        judge(exchange)
      } catch (error) {
        // The keys of this call may be unknown, so hide its texts.
        unjudged.add({ ...evidenceOf(exchange, () => '…'), detail: reasonOf(error) })
        context.onError?.(error)
      }
    },
    /** The most recent last. */
    callers: () => [...callers.values()],
    /** By key, over all sandboxes. */
    usage: () => sumUsage(gone, callers.values()),
    calls: () => calls,
    maskKey: context.secrets.maskKey,
    forgotten: () => callers.dropped,
  }
}

/** A key in a sandbox, or an address without a valid key. */
export function callerOf({ sandbox, trace: { key }, call }: Exchange): string {
  return `${sandbox} ${key ?? ''} ${key === undefined ? call.client : ''}`
}

/** Only calls that reach the API count. */
export function reachesApi({ trace: { gate } }: Exchange): boolean {
  return gate !== 'host' && gate !== 'preflight' && gate !== 'api'
}

/** The calls of one key in one sandbox, or of one address without a valid key. */
export type Caller = ReturnType<typeof createCaller>

interface Judgement {
  readonly tally: Tally
  readonly doubts: Doubts
  readonly context: ConductContext
  readonly portion: Portion
}

function createCaller({ sandbox, trace: { key } }: Exchange, judgement: Judgement) {
  const { tally, doubts, context, portion } = judgement
  let noted = 0
  const note: Note = remark => {
    noted += 1
    tally.note(remark)
  }
  const noteHeld = (remark: HeldRemark) => {
    noted += 1
    tally.noteHeld(remark)
  }
  const flight = createFlightLog(portion)
  const { usage, add } = createUsageLog(portion)
  const actorOf = createActors(portion)
  const burstOf = createBursts()
  const suspicions = new Suspicions({ note: noteHeld, hold: tally.hold, onDoubt: doubts.addCrowd, portion })
  const waits = judgeWaits({ note, doubts, suspicions, onWait: flight.addWait, portion })
  const judges = [
    waits.judge,
    judgeBackoff(waits.note, portion),
    judgeRequests(note, context, portion),
    judgePolling(note, portion),
    judgePages(note, portion),
    judgeCreates(note, portion),
  ]
  return {
    sandbox,
    key,
    usage,
    flight,
    /** The number of remarks. */
    noted: () => noted + suspicions.open().length,
    /** Remarks that later calls may still refute. */
    open: () => suspicions.open(),
    doubtful: () => suspicions.doubtful(),
    /** No further call of it will come. */
    end: () => {
      suspicions.end()
      return usage
    },
    add: (exchange: Exchange) => {
      const observed = {
        exchange,
        fingerprint: fingerprintOf(exchange.call),
        actor: actorOf(exchange),
        delivery: deliveryOf(exchange),
        burstAt: burstOf(exchange),
      }
      for (const judge of judges) judge(observed)
      add(observed)
      flight.add(exchange)
    },
  }
}

function openRemarks(callers: Iterable<Caller>): readonly HeldRemark[] {
  return [...callers].flatMap(caller => caller.open())
}

function sumDoubts(callers: Iterable<Caller>): number {
  let sum = 0
  for (const caller of callers) sum += caller.doubtful()
  return sum
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
