import type { Exchange } from '../../emulator/journal/exchange.ts'
import { createUnjudged, reasonOf } from '../report/unjudged.ts'
import { BoundedMap } from './bounded-map.ts'
import { createFlightLog } from './flight-log.ts'
import { judgeBackoff } from './judge-backoff.ts'
import { judgePages } from './judge-pages.ts'
import { judgePolling } from './judge-polling.ts'
import { judgeRequests } from './judge-requests.ts'
import { judgeWaits } from './judge-waits.ts'
import { type ConductContext, evidenceOf, fingerprintOf, type Note } from './observed-call.ts'
import { Tally } from './tally.ts'
import { createUsageLog, mergeUsage, newUsage, type Usage } from './usage.ts'

export type Conduct = ReturnType<typeof createConduct>

/** With more callers at once, the oldest count as new when they call again. */
const mostCallers = 1_000

const mostSandboxes = 2_000

/** Judges the conduct of clients call by call, so an observer needs no journal of all calls. */
export function createConduct(context: ConductContext) {
  const tally = new Tally(context.textOf)
  const gone = new Map<string, Usage>()
  const retire = ({ key, usage }: Caller) => addUsage(gone, key, usage)
  const callers = new BoundedMap<string, Caller>(mostCallers, retire)
  const newest = new BoundedMap<string, number>(mostSandboxes)
  const unjudged = createUnjudged('error')
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
    const caller = callers.get(name) ?? createCaller(exchange, tally.note, context)
    callers.set(name, caller)
    caller.add(exchange)
    calls += 1
  }

  return {
    tally,
    unjudged,
    /** Takes the next exchange. The exchanges of a sandbox must be in order. */
    add: (exchange: Exchange) => {
      const { gate } = exchange.trace
      // Only calls that reach the API count.
      if (gate === 'host' || gate === 'preflight' || gate === 'api') return
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
    usage: () => {
      const all = new Map<string, Usage>()
      for (const [key, usage] of gone) addUsage(all, key, usage)
      for (const { key, usage } of callers.values()) addUsage(all, key, usage)
      return all
    },
    calls: () => calls,
    maskKey: context.secrets.maskKey,
  }
}

/** The calls of one key in one sandbox, or of one address without a valid key. */
export type Caller = ReturnType<typeof createCaller>

function createCaller({ sandbox, trace: { key } }: Exchange, addToTally: Note, context: ConductContext) {
  let noted = 0
  const note: Note = remark => {
    noted += 1
    addToTally(remark)
  }
  const flight = createFlightLog()
  const { usage, add } = createUsageLog()
  const judges = [
    judgeWaits(note, flight.addWait),
    judgeBackoff(note),
    judgeRequests(note, context),
    judgePolling(note),
    judgePages(note),
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

function addUsage(all: Map<string, Usage>, key: string | undefined, usage: Usage): void {
  if (key !== undefined) all.set(key, mergeUsage(all.get(key) ?? newUsage(), usage))
}
