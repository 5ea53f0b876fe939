import { lazily } from '../../base/lazily.ts'
import type { Breach, Exchange } from '../../emulator/journal/exchange.ts'
import { reasonOf } from '../report/unjudged.ts'
import type { Judge } from './judge.ts'
import { needsVerdict, textsOf } from './prism/exchange-texts.ts'

export interface ContractCounts {
  readonly judged: number
  /** Calls of `judged` that broke the contract. */
  readonly broken: number
}

interface BackgroundOptions {
  /** The base path of the API. Default: `/v1`. */
  readonly base?: string
  /** Imports Prism. Called after the first exchange, and again after a failure. */
  readonly load: () => Promise<Judge>
  /** Resolves in the next turn of the event loop. */
  readonly nextTurn: () => Promise<void>
  readonly onBreach: (exchange: Exchange, breaches: readonly Breach[]) => void
  /** Called for each exchange that gets no verdict. `reason` is a sentence without its full stop. */
  readonly onUnjudged: (exchange: Exchange, reason: string) => void
  /** The limits of the queue: exchanges, and bytes of their bodies. */
  readonly mostWaiting?: number
  readonly mostBytes?: number
}

/**
 * Judges exchanges off the request path: usually one per turn of the event loop, so that a call waits for at most one
 * judgement of about 0.2 ms. The fuller the queue, the more per turn, so that fast clients wait instead of filling it.
 * Exchanges that do not fit into the queue get no verdict.
 */
export function judgeInBackground({
  base = '/v1',
  load,
  nextTurn,
  onBreach,
  onUnjudged,
  mostWaiting = 1_000,
  mostBytes = 16 * 2 ** 20,
}: BackgroundOptions) {
  const queue = createQueue(mostWaiting, mostBytes)
  const counts = { judged: 0, broken: 0 }
  const loaded = lazily(load)
  let work: Promise<void> | undefined

  const judgeOne = async (exchange: Exchange, { judge }: Judge) => {
    const texts = textsOf(exchange, base)
    if (typeof texts === 'string') {
      onUnjudged(exchange, texts)
      return
    }
    const { breaches } = await judge(texts)
    counts.judged += 1
    if (breaches.length === 0) return
    counts.broken += 1
    onBreach(exchange, breaches)
  }

  const judgeAll = async () => {
    await nextTurn()
    const judge = await loaded().catch(reasonOf)
    // The failure of one load is the reason for all calls that wait now, but not for the next one.
    if (typeof judge === 'string') for (const exchange of queue.takeAll()) onUnjudged(exchange, judge)
    while (typeof judge !== 'string' && !queue.isEmpty()) {
      for (const exchange of queue.takeShare())
        await judgeOne(exchange, judge).catch(error => onUnjudged(exchange, reasonOf(error)))
      await nextTurn()
    }
    work = undefined
  }

  return {
    /** Resolves when the judge is loaded, or cannot be loaded now. */
    ready: () => loaded().then(ignore, ignore),
    /** Queues an exchange. */
    observe: (exchange: Exchange): void => {
      if (!needsVerdict(exchange, base)) return
      if (queue.put(exchange)) work ??= judgeAll()
      else onUnjudged(exchange, 'Too many calls waited for a verdict')
    },
    /** Resolves when the queue is empty. */
    settled: async (): Promise<ContractCounts> => {
      await work
      return { ...counts }
    },
  }
}

function ignore(): void {}

/** A queue with limits: exchanges, and bytes of their bodies. */
function createQueue(mostWaiting: number, mostBytes: number) {
  const waiting: Exchange[] = []
  let bytes = 0
  const take = (count: number): readonly Exchange[] => {
    const taken = waiting.splice(0, Math.max(1, Math.floor(count)))
    for (const exchange of taken) bytes -= sizeOf(exchange)
    return taken
  }
  return {
    /** Returns false if the exchange does not fit. */
    put: (exchange: Exchange): boolean => {
      const size = sizeOf(exchange)
      if (waiting.length >= mostWaiting || bytes + size > mostBytes) return false
      bytes += size
      return waiting.push(exchange) > 0
    },
    isEmpty: () => waiting.length === 0,
    takeAll: () => take(waiting.length),
    /** Takes one, or a part of the queue: the fuller the queue, the larger the part. */
    takeShare: () => take(waiting.length * Math.max(waiting.length / mostWaiting, bytes / mostBytes)),
  }
}

function sizeOf({ call: { body }, reply }: Exchange): number {
  return (body instanceof Uint8Array ? body.length : 0) + (reply.body?.length ?? 0)
}
