import type { Breach, Exchange } from '../../emulator/journal/exchange.ts'
import type { Judge } from './judge.ts'
import { belowBase, textsOf } from './prism/exchange-texts.ts'

export interface ContractCounts {
  readonly judged: number
  /** Calls of `judged` that broke the contract. */
  readonly broken: number
  /** Calls that did not fit into the queue. */
  readonly skipped: number
  /** Calls with a body that is too large or cannot be decoded. */
  readonly unread: number
}

interface BackgroundOptions {
  /** The base path of the API. Default: `/v1`. */
  readonly base?: string
  /** Imports Prism. Called once, after the first exchange. */
  readonly load: () => Promise<Judge>
  /** Resolves in the next turn of the event loop. */
  readonly nextTurn: () => Promise<void>
  readonly onBreach: (exchange: Exchange, breaches: readonly Breach[]) => void
  /** Called when an exchange is skipped for the first time. */
  readonly onSkip: () => void
  /** Called when Prism fails, on an exchange or while it loads. */
  readonly onError: (error: unknown) => void
  /** The limits of the queue: exchanges, and bytes of their bodies. */
  readonly mostWaiting?: number
  readonly mostBytes?: number
}

/**
 * Judges exchanges off the request path: one per turn of the event loop, so that a call waits for at most one judgement
 * of about 0.2 ms. Exchanges that do not fit into the queue are skipped and counted.
 */
export function judgeInBackground({
  base = '/v1',
  load,
  nextTurn,
  onBreach,
  onSkip,
  onError,
  mostWaiting = 1_000,
  mostBytes = 16 * 2 ** 20,
}: BackgroundOptions) {
  const waiting: Exchange[] = []
  const counts = { judged: 0, broken: 0, skipped: 0, unread: 0 }
  let bytes = 0
  let loading: Promise<Judge> | undefined
  let work: Promise<void> | undefined

  const judgeOne = async (exchange: Exchange, { judge }: Judge) => {
    const { call, cut } = exchange
    if ((cut.call ?? cut.reply) !== undefined && belowBase(call.target, base) !== undefined)
      counts.unread += 1
    const texts = textsOf(exchange, base)
    if (texts === undefined) return
    const { breaches } = await judge(texts)
    counts.judged += 1
    if (breaches.length === 0) return
    counts.broken += 1
    onBreach(exchange, breaches)
  }

  const judgeAll = async () => {
    loading ??= nextTurn().then(load)
    const judge = await loading
    for (let exchange = waiting.shift(); exchange !== undefined; exchange = waiting.shift()) {
      bytes -= sizeOf(exchange)
      await judgeOne(exchange, judge).catch(onError)
      await nextTurn()
    }
    work = undefined
  }

  return {
    /** Queues an exchange. */
    observe: (exchange: Exchange): void => {
      const size = sizeOf(exchange)
      if (waiting.length >= mostWaiting || bytes + size > mostBytes) {
        counts.skipped += 1
        if (counts.skipped === 1) onSkip()
        return
      }
      waiting.push(exchange)
      bytes += size
      work ??= judgeAll().catch(onError)
    },
    /** Resolves when the queue is empty. */
    settled: async (): Promise<ContractCounts> => {
      await work
      return { ...counts }
    },
  }
}

function sizeOf({ call: { body }, reply }: Exchange): number {
  return (body instanceof Uint8Array ? body.length : 0) + (reply.body?.length ?? 0)
}
