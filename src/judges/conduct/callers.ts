import { BoundedMap } from '../../base/bounded-map.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Portion } from './observed-call.ts'

/** With more callers at once, the oldest count as new when they call again. */
const mostCallers = 1_000

const mostSandboxes = 2_000

/** So many callers may use all the memory of a caller. */
const fullCallers = 50

interface CallersOptions<C> {
  readonly create: (exchange: Exchange, portion: Portion) => C
  /** No further call of it will come. */
  readonly onEnd: (caller: C) => void
  /** The id of the first exchange since the sandbox last restarted. */
  readonly startsAt: (exchange: Exchange) => number
  /** In a sandbox that restarts, callers have no waits or bans. */
  readonly onRestart?: ((isOfSandbox: (name: string) => boolean) => void) | undefined
}

/** What a judge remembers of each caller, in bounded memory: a key in a sandbox, or an address without a valid key. */
export function createCallers<C>({ create, onEnd, startsAt, onRestart }: CallersOptions<C>) {
  const callers = new BoundedMap<string, C>(mostCallers, { onDropped: onEnd })
  const newest = new BoundedMap<string, number>(mostSandboxes)
  const portion = () => Math.min(1, fullCallers / callers.size)

  const restart = (sandbox: string) => {
    const isOfSandbox = (name: string) => name.startsWith(`${sandbox} `)
    onRestart?.(isOfSandbox)
    for (const [name, caller] of [...callers]) {
      if (!isOfSandbox(name)) continue
      onEnd(caller)
      callers.delete(name)
    }
  }

  return {
    /** The caller of the next exchange, which becomes the most recent one. */
    of: (exchange: Exchange): { readonly name: string; readonly caller: C } => {
      const { id, sandbox, call } = exchange
      const { key } = exchange.trace
      const start = startsAt(exchange)
      // An exchange from before the start may come after it.
      if (id >= start && (newest.get(sandbox) ?? start) < start) restart(sandbox)
      newest.set(sandbox, id)
      const name = key === undefined ? `${sandbox}  ${call.client}` : `${sandbox} ${key} `
      const caller = callers.get(name) ?? create(exchange, portion)
      callers.set(name, caller)
      return { name, caller }
    },
    /** The most recent last. */
    all: (): readonly C[] => [...callers.values()],
    forgotten: (): number => callers.dropped,
  }
}

/** Only calls that reach the API count. */
export function reachesApi({ trace: { gate } }: Exchange): boolean {
  return gate !== 'host' && gate !== 'preflight' && gate !== 'api'
}
