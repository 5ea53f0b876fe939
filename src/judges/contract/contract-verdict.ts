import { lazily } from '../../base/lazily.ts'
import { ownPet } from '../../control/fixtures/shapes.ts'
import type { Breach, Exchange } from '../../emulator/journal/exchange.ts'
import { redirectReason, redirectTarget } from '../../service/call/headers.ts'
import type { ShowText } from '../inspection/conceal.ts'
import type { Report } from '../report/report.ts'
import { createContractTally, type Judged } from './contract-report.ts'
import type { Judge } from './judge.ts'
import { isBrokenByRule, needsVerdict, textsOf } from './prism/exchange-texts.ts'

interface ContractVerdictOptions {
  readonly judged: Judged
  /** The base path of the API. Default: `/v1`. */
  readonly base?: string
  /** Imports Prism. Called after the first exchange, and again after a failure. */
  readonly load: () => Promise<Judge>
  /** Resolves in the next turn of the event loop. */
  readonly nextTurn: () => Promise<void>
  readonly textOf: (exchange: Exchange) => ShowText
  readonly onBreach: (exchange: Exchange, breaches: readonly Breach[], text: ShowText) => void
  readonly notice: (text: string) => void
}

/** The limits of the queue: exchanges, and bytes of their bodies. */
const mostWaiting = 1_000
const mostBytes = 16 * 2 ** 20

/**
 * Judges exchanges by the contract, off the request path: usually one per turn of the event loop, so that a call waits for at
 * most one judgement of about 0.2 ms. The fuller the queue, the more per turn, so that fast clients wait instead of filling it.
 * Exchanges that do not fit into the queue get no verdict.
 */
export function createContractVerdict(options: ContractVerdictOptions) {
  const { judged, base = '/v1', nextTurn, textOf } = options
  const tally = createContractTally(judged)
  const noticed = new Set<string>()
  /** Each exchange, and the judge of the contract that its response came from. */
  const queue: { readonly exchange: Exchange; readonly loaded: () => Promise<Judge> }[] = []
  let bytes = 0
  let calls = 0
  let loaded = lazily(options.load)
  let work: Promise<void> | undefined

  const take = (share: number) => {
    const taken = queue.splice(0, Math.max(1, Math.floor(queue.length * share)))
    for (const { exchange } of taken) bytes -= sizeOf(exchange)
    return taken
  }

  /** `reason`: a clause, or what pet-mock threw. */
  const leave = (exchange: Exchange, reason: unknown): void => {
    const { what, detail } = tally.addUnjudged(exchange, reason, textOf(exchange))
    const [kind = ''] = detail.split(':')
    if (noticed.has(kind)) return
    noticed.add(kind)
    options.notice(`The contract check has no verdict on ${what}: ${detail}.`)
  }

  const judgeOne = async (exchange: Exchange, { judge }: Judge) => {
    const texts = textsOf(exchange, base)
    if (typeof texts === 'string') return leave(exchange, texts)
    const whole = await judge(texts)
    const kept = whole.breaches.filter(breach => judged === 'service' || !isExtra(exchange, breach))
    const judgement = { ...whole, breaches: kept }
    const target = judgement.isDocumented ? undefined : redirectTarget(texts.status, texts.headers)
    if (judged === 'service' && target !== undefined)
      return tally.addOpen(exchange, redirectReason(target), textOf(exchange))
    calls += 1
    if (judgement.breaches.length === 0) return
    const text = textOf(exchange)
    const breaches = tally.add(exchange, judgement, text)
    if (breaches.length > 0) options.onBreach(exchange, breaches, text)
  }

  const judgeAll = async () => {
    await nextTurn()
    for (let [next] = queue; next !== undefined; [next] = queue) {
      const judge = await next.loaded().catch((error: unknown) => {
        // The failure of one load is the reason for all calls that wait now, but not for the next one.
        for (const { exchange } of take(1)) leave(exchange, error)
      })
      if (judge === undefined) break
      // The fuller the queue, the larger the share.
      for (const { exchange, loaded } of take(Math.max(queue.length / mostWaiting, bytes / mostBytes)))
        await loaded()
          .then(judge => judgeOne(exchange, judge))
          .catch((error: unknown) => leave(exchange, error))
      await nextTurn()
    }
    work = undefined
  }

  return {
    /** Resolves when the judge is loaded, or cannot be loaded now. */
    ready: () => loaded().then(ignore, ignore),
    /** Judges the exchanges from now on by another judge. Those that wait keep theirs. */
    reload: (load: ContractVerdictOptions['load']) => {
      loaded = lazily(load)
    },
    observe: (exchange: Exchange) => {
      if (!needsVerdict(exchange, base)) return
      if (isBrokenByRule(exchange))
        return tally.addOpen(exchange, 'a rule broke off its response', textOf(exchange))
      const size = sizeOf(exchange)
      if (queue.length >= mostWaiting || bytes + size > mostBytes)
        return leave(exchange, 'too many calls waited for a verdict')
      bytes += size
      queue.push({ exchange, loaded })
      work ??= judgeAll()
    },
    /** Resolves when every exchange has its verdict. */
    report: async (): Promise<Report> => {
      await work
      return tally.report(calls)
    },
  }
}

/** Whether a breach is a member that a pet has from the fixtures, where the user asked for it. */
function isExtra({ trace: { operation, synthetic } }: Exchange, { message }: Breach): boolean {
  const [, name] = /^Response body.* additional properties; found '(.+)'$/.exec(message) ?? []
  const isOfPet = !synthetic && (operation === 'listPets' || operation === 'getPet')
  return isOfPet && name !== undefined && !Object.hasOwn(ownPet.fields, name)
}

function ignore(): void {}

function sizeOf({ call: { body }, reply }: Exchange): number {
  return (body instanceof Uint8Array ? body.length : 0) + (reply.body?.length ?? 0)
}
