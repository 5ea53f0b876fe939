import type { Exchange } from '../../emulator/journal/exchange.ts'
import { BoundedMap } from './bounded-map.ts'
import { type Caller, type ConductContext, createCaller } from './caller.ts'
import { Tally } from './tally.ts'
import { mergeUsage, newUsage, type Usage } from './usage.ts'

/** The calls of clients, judged one after the other: whoever looks on needs no journal that holds them all. */
export interface Conduct {
  /** The next exchange; those of a sandbox come in their order. */
  readonly add: (exchange: Exchange) => void
  readonly tally: Tally
  /** The callers that are remembered, the one that called last at the end. */
  readonly callers: () => readonly Caller[]
  /** By key, over all sandboxes. */
  readonly usage: () => ReadonlyMap<string, Usage>
  readonly calls: () => number
}

/** More callers than these at once are not told apart from new ones. */
const mostCallers = 1_000

const mostSandboxes = 2_000

export function createConduct(context: ConductContext): Conduct {
  const tally = new Tally(context.textOf)
  const gone = new Map<string, Usage>()
  const retire = ({ key, usage }: Caller) => addUsage(gone, key, usage)
  const callers = new BoundedMap<string, Caller>(mostCallers, retire)
  const newest = new BoundedMap<string, number>(mostSandboxes)
  let calls = 0

  /** A sandbox that starts anew counts from the beginning; nobody is told anything there yet. */
  const startAnew = (sandbox: string) => {
    for (const [name, caller] of [...callers.entries()]) {
      if (caller.sandbox !== sandbox) continue
      retire(caller)
      callers.delete(name)
    }
  }

  return {
    tally,
    add: exchange => {
      const { id, sandbox, trace, call } = exchange
      // What never came to the API is nobody's conduct.
      if (trace.gate === 'host' || trace.gate === 'preflight' || trace.gate === 'api') return
      const start = context.startsAt(exchange)
      // One from before the start may still come behind it.
      if (id >= start && (newest.get(sandbox) ?? start) < start) startAnew(sandbox)
      newest.set(sandbox, id)
      calls += 1
      const name = `${sandbox} ${trace.key ?? ''} ${trace.key === undefined ? call.client : ''}`
      const caller = callers.get(name) ?? createCaller(exchange, tally.note, context)
      callers.set(name, caller)
      caller.add(exchange)
    },
    callers: () => [...callers.values()],
    usage: () => {
      const all = new Map([...gone].map(([key, usage]) => [key, structuredCopy(usage)]))
      for (const { key, usage } of callers.values()) addUsage(all, key, usage)
      return all
    },
    calls: () => calls,
  }
}

function addUsage(all: Map<string, Usage>, key: string | undefined, usage: Usage): void {
  if (key === undefined) return
  const known = all.get(key) ?? newUsage()
  mergeUsage(known, usage)
  all.set(key, known)
}

function structuredCopy(usage: Usage): Usage {
  const copy = newUsage()
  mergeUsage(copy, usage)
  return copy
}
