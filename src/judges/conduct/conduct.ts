import { BoundedMap } from '../../base/bounded-map.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { createUnjudged, reasonOf } from '../report/unjudged.ts'
import { createActors } from './actors.ts'
import { createBursts } from './bursts.ts'
import { createCallers, reachesApi } from './callers.ts'
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

const mostKeys = 10_000

/** Judges the conduct of clients call by call, so an observer needs no journal of all calls. */
export function createConduct(context: ConductContext) {
  const tally = new Tally(context)
  const gone = new BoundedMap<string, Usage>(mostKeys)
  const doubts = createDoubts()
  const callers = createCallers<Caller>({
    create: (exchange, portion) => createCaller(exchange, { tally, doubts, context, portion }),
    onEnd: caller => addUsage(gone, caller.key, caller.end()),
    startsAt: context.startsAt,
  })
  const unjudged = createUnjudged('error')
  let calls = 0

  return {
    /** As if no further call came. */
    findings: () => tally.findings(openRemarks(callers.all())),
    /** How often expected findings came. */
    came: () => tally.came(openRemarks(callers.all())),
    notes: () => doubts.notes(sumDoubts(callers.all())),
    unjudged,
    /** Takes the next exchange. The exchanges of a sandbox must be in order. */
    add: (exchange: Exchange) => {
      if (!reachesApi(exchange)) return
      try {
        callers.of(exchange).caller.add(exchange)
        calls += 1
      } catch (error) {
        // The keys of this call may be unknown, so hide its texts.
        unjudged.add({ ...evidenceOf(exchange, () => '…'), detail: reasonOf(error) })
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
