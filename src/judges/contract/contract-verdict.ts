import { lazily } from '../../base/lazily.ts'
import type { Breach, Exchange } from '../../emulator/journal/exchange.ts'
import { redirectTarget } from '../../service/call/headers.ts'
import type { ShowText } from '../inspection/conceal.ts'
import type { Report } from '../report/report.ts'
import { type ContractCounts, createContractTally, type Judged } from './contract-report.ts'
import type { Judge, Judgement } from './judge.ts'
import { needsVerdict, textsOf } from './prism/exchange-texts.ts'

interface ContractVerdictOptions
  extends Pick<Parameters<typeof judgeInBackground>[0], 'base' | 'load' | 'nextTurn'> {
  /** The severity of a breach, and of a call without a verdict. */
  readonly mode: 'warn' | 'error'
  /** Who sends the answers. */
  readonly judged: Judged
  /** Masks the keys of an exchange. */
  readonly textOf: (exchange: Exchange) => ShowText
  readonly onBreach: (exchange: Exchange, breaches: readonly Breach[], text: ShowText) => void
  readonly notice: (text: string) => void
}

/** Judges exchanges by the contract, off the request path. `report` resolves when every exchange has its verdict. */
export function createContractVerdict(options: ContractVerdictOptions) {
  const { mode, judged, textOf, onBreach, notice, ...judging } = options
  const tally = createContractTally(mode === 'error' ? 'error' : 'warning', judged)
  const noticed = new Set<string>()
  const { ready, observe, settled } = judgeInBackground({
    ...judging,
    onBreach: (exchange, judgement) => {
      const text = textOf(exchange)
      tally.add(exchange, judgement, text)
      onBreach(exchange, judgement.breaches, text)
    },
    onUnjudged: (exchange, reason) => {
      const { what, detail } = tally.addUnjudged(exchange, reason, textOf(exchange))
      const [kind = ''] = detail.split(':')
      if (noticed.has(kind)) return
      noticed.add(kind)
      notice(`The contract check has no verdict on ${what}: ${detail}.`)
    },
    onRedirect:
      judged === 'service'
        ? (exchange, target) => tally.addRedirect(exchange, target, textOf(exchange))
        : undefined,
  })
  return { ready, observe, report: async (): Promise<Report> => tally.report(await settled()) }
}

interface BackgroundOptions {
  /** The base path of the API. Default: `/v1`. */
  readonly base?: string
  /** Imports Prism. Called after the first exchange, and again after a failure. */
  readonly load: () => Promise<Judge>
  /** Resolves in the next turn of the event loop. */
  readonly nextTurn: () => Promise<void>
  readonly onBreach: (exchange: Exchange, judgement: Judgement) => void
  /** Called for each exchange that gets no verdict. `reason`: a clause, or what pet-mock threw. */
  readonly onUnjudged: (exchange: Exchange, reason: unknown) => void
  /** Called for each redirect that the contract does not document. Without it, these pass. */
  readonly onRedirect?: ((exchange: Exchange, target: string) => void) | undefined
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
  onRedirect,
  mostWaiting = 1_000,
  mostBytes = 16 * 2 ** 20,
}: BackgroundOptions) {
  const queue: Exchange[] = []
  let bytes = 0
  const take = (share: number) => {
    const taken = queue.splice(0, Math.max(1, Math.floor(queue.length * share)))
    for (const exchange of taken) bytes -= sizeOf(exchange)
    return taken
  }
  const counts = { judged: 0, broken: 0 }
  const loaded = lazily(load)
  let work: Promise<void> | undefined

  const judgeOne = async (exchange: Exchange, { judge }: Judge) => {
    const texts = textsOf(exchange, base)
    if (typeof texts === 'string') {
      onUnjudged(exchange, texts)
      return
    }
    const judgement = await judge(texts)
    const target = judgement.isDocumented ? undefined : redirectTarget(texts.status, texts.headers)
    if (onRedirect !== undefined && target !== undefined) {
      onRedirect(exchange, target)
      return
    }
    counts.judged += 1
    if (judgement.breaches.length === 0) return
    counts.broken += 1
    onBreach(exchange, judgement)
  }

  const judgeAll = async () => {
    await nextTurn()
    const judge = await loaded().catch((error: unknown) => {
      // The failure of one load is the reason for all calls that wait now, but not for the next one.
      for (const exchange of take(1)) onUnjudged(exchange, error)
      return undefined
    })
    while (judge !== undefined && queue.length > 0) {
      // The fuller the queue, the larger the share.
      for (const exchange of take(Math.max(queue.length / mostWaiting, bytes / mostBytes)))
        await judgeOne(exchange, judge).catch((error: unknown) => onUnjudged(exchange, error))
      await nextTurn()
    }
    work = undefined
  }

  return {
    /** Resolves when the judge is loaded, or cannot be loaded now. */
    ready: () => loaded().then(ignore, ignore),
    observe: (exchange: Exchange): void => {
      if (!needsVerdict(exchange, base)) return
      const size = sizeOf(exchange)
      if (queue.length >= mostWaiting || bytes + size > mostBytes) {
        onUnjudged(exchange, 'too many calls waited for a verdict')
        return
      }
      bytes += size
      queue.push(exchange)
      work ??= judgeAll()
    },
    /** Resolves when the queue is empty. */
    settled: async (): Promise<ContractCounts> => {
      await work
      return { ...counts }
    },
  }
}

function ignore(): void {}

function sizeOf({ call: { body }, reply }: Exchange): number {
  return (body instanceof Uint8Array ? body.length : 0) + (reply.body?.length ?? 0)
}
