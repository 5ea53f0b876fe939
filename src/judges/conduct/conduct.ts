import type { Exchange } from '../../emulator/journal/exchange.ts'
import { BoundedMap } from './bounded-map.ts'
import { type Caller, createCaller } from './caller.ts'
import type { ConductContext } from './observed-call.ts'
import { Tally } from './tally.ts'
import { mergeUsage, newUsage, type Usage } from './usage.ts'

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
  let calls = 0

  /** In a sandbox that restarts, clients have no waits or bans. */
  const restart = (sandbox: string) => {
    for (const [name, caller] of [...callers]) {
      if (caller.sandbox !== sandbox) continue
      retire(caller)
      callers.delete(name)
    }
  }

  return {
    tally,
    /** Takes the next exchange. The exchanges of a sandbox must be in order. */
    add: (exchange: Exchange) => {
      const { id, sandbox, trace, call } = exchange
      // Only calls that reach the API count.
      if (trace.gate === 'host' || trace.gate === 'preflight' || trace.gate === 'api') return
      const start = context.startsAt(exchange)
      // An exchange from before the start may come after it.
      if (id >= start && (newest.get(sandbox) ?? start) < start) restart(sandbox)
      newest.set(sandbox, id)
      calls += 1
      const name = `${sandbox} ${trace.key ?? ''} ${trace.key === undefined ? call.client : ''}`
      const caller = callers.get(name) ?? createCaller(exchange, tally.note, context)
      callers.set(name, caller)
      caller.add(exchange)
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
  }
}

function addUsage(all: Map<string, Usage>, key: string | undefined, usage: Usage): void {
  if (key !== undefined) all.set(key, mergeUsage(all.get(key) ?? newUsage(), usage))
}
