import type { Breach } from '../../emulator/journal/breach.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Judge } from './judge.ts'
import { belowBase, textsOf } from './prism/exchange-texts.ts'

export interface ContractCounts {
  readonly judged: number
  /** Of those that were judged. */
  readonly broken: number
  /** More came than could be judged. */
  readonly skipped: number
  /** A body was larger than what is kept of it, or could not be decoded. */
  readonly unread: number
}

export interface BackgroundJudge {
  /** Takes an exchange in, and returns at once. */
  readonly observe: (exchange: Exchange) => void
  /** Resolves when all that was taken in is judged. */
  readonly settled: () => Promise<ContractCounts>
}

export interface BackgroundOptions {
  /** The path below which the API is. Default: `/v1`. */
  readonly base?: string
  /** Imports Prism. It is called once, after the first exchange at the soonest. */
  readonly load: () => Promise<Judge>
  /** Resolves in the next turn of the event loop. */
  readonly nextTurn: () => Promise<void>
  readonly onBreach: (exchange: Exchange, breaches: readonly Breach[]) => void
  /** The first time that exchanges have to be skipped. */
  readonly onSkip: () => void
  /** Prism failed, on an exchange or when it was loaded. */
  readonly onError: (error: unknown) => void
  /** Exchanges that may wait, and the bytes of their bodies in all. */
  readonly mostWaiting?: number
  readonly mostBytes?: number
}

/**
 * Judges exchanges off the path of calls: one in a turn of the event loop, so that a call waits for one judgement at
 * most, which is about 0.2 ms. What comes while the queue is full is skipped and counted.
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
}: BackgroundOptions): BackgroundJudge {
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
    observe: exchange => {
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
    settled: async () => {
      await work
      return { ...counts }
    },
  }
}

function sizeOf({ call: { body }, reply }: Exchange): number {
  return (body instanceof Uint8Array ? body.length : 0) + (reply.body?.length ?? 0)
}
