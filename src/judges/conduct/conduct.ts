import type { Exchange } from '../../emulator/journal/exchange.ts'
import { createUnjudged, reasonOf } from '../report/unjudged.ts'
import { BoundedMap } from './bounded-map.ts'
import { createFlightLog } from './flight-log.ts'
import { judgeBackoff } from './judge-backoff.ts'
import { judgePages } from './judge-pages.ts'
import { judgePolling } from './judge-polling.ts'
import { judgeRequests } from './judge-requests.ts'
import { judgeWaits } from './judge-waits.ts'
import { type ConductContext, evidenceOf, fingerprintOf, type Note, type Portion } from './observed-call.ts'
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
  const tally = new Tally(context.textOf)
  const gone = new BoundedMap<string, Usage>(mostKeys)
  const retire = ({ key, usage }: Caller) => addUsage(gone, key, usage)
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
    const { id, sandbox, trace, call } = exchange
    const start = context.startsAt(exchange)
    // An exchange from before the start may come after it.
    if (id >= start && (newest.get(sandbox) ?? start) < start) restart(sandbox)
    newest.set(sandbox, id)
    const name = `${sandbox} ${trace.key ?? ''} ${trace.key === undefined ? call.client : ''}`
    const caller = callers.get(name) ?? createCaller(exchange, tally.note, context, portion)
    callers.set(name, caller)
    caller.add(exchange)
    calls += 1
  }

  return {
    tally,
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
    /** The remembered callers, the most recent last. */
    callers: () => [...callers.values()],
    /** By key, over all sandboxes. */
    usage: () => sumUsage(gone, callers.values()),
    calls: () => calls,
    maskKey: context.secrets.maskKey,
    forgotten: () => callers.dropped,
  }
}

/** Only calls that reach the API count. */
function reachesApi({ trace: { gate } }: Exchange): boolean {
  return gate !== 'host' && gate !== 'preflight' && gate !== 'api'
}

/** The calls of one key in one sandbox, or of one address without a valid key. */
export type Caller = ReturnType<typeof createCaller>

function createCaller(
  { sandbox, trace: { key } }: Exchange,
  addToTally: Note,
  context: ConductContext,
  portion: Portion,
) {
  let noted = 0
  const note: Note = remark => {
    noted += 1
    addToTally(remark)
  }
  const flight = createFlightLog(portion)
  const { usage, add } = createUsageLog(portion)
  const judges = [
    judgeWaits(note, flight.addWait, portion),
    judgeBackoff(note, portion),
    judgeRequests(note, context, portion),
    judgePolling(note, portion),
    judgePages(note, portion),
  ]
  return {
    sandbox,
    key,
    usage,
    flight,
    /** The number of remarks. */
    noted: () => noted,
    add: (exchange: Exchange) => {
      const fingerprint = fingerprintOf(exchange.call)
      for (const judge of judges) judge({ exchange, fingerprint })
      add(exchange, fingerprint)
      flight.add(exchange)
    },
  }
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
