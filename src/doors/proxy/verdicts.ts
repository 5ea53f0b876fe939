import { setImmediate as nextTurn } from 'node:timers/promises'
import { BoundedMap } from '../../base/bounded-map.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { Journal, JournalBudget, type JournalLimits } from '../../emulator/journal/journal.ts'
import { conductIds } from '../../judges/conduct/checks.ts'
import { createConduct } from '../../judges/conduct/conduct.ts'
import { type ConductReport, reportConduct } from '../../judges/conduct/conduct-report.ts'
import { createContractVerdict } from '../../judges/contract/contract-verdict.ts'
import type { Judge } from '../../judges/contract/judge.ts'
import { conceal, type Show } from '../../judges/inspection/conceal.ts'
import type { Report } from '../../judges/report/report.ts'
import { reasonOf } from '../../judges/report/unjudged.ts'
import { createServiceJudge } from '../../judges/upstream/upstream.ts'
import type { Secrets } from '../../service/keys/mask.ts'
import { shippedPlans } from '../../service/plans/plan.ts'
import { rememberOwnFiles } from '../server/own-files.ts'
import type { ProxiedCall } from './call-record.ts'
import { shortenExchange, withoutMark } from './kept-exchange.ts'
import { createProxiedCallReader } from './read-proxied-call.ts'
export interface ProxyLog {
  readonly call: ((exchange: Exchange) => void) | undefined
  readonly breaches: ((exchange: Exchange) => void) | undefined
  readonly notice: (text: string) => void
  readonly failure: (error: unknown) => void
}

export interface VerdictOptions {
  readonly base: string
  readonly origin: string
  readonly judgesContract: boolean
  readonly loadContract: () => Promise<Judge>
  /** Whether the service has a contract of its own: the rules of the API do not hold for it. */
  readonly hasOwnContract: boolean
  readonly plan?: string | undefined
  readonly journal: JournalLimits
  readonly secrets: Secrets
  readonly log: ProxyLog
  readonly noticesLinks: boolean
  /** Receives every exchange with its secrets. */
  readonly record?: ((exchange: Exchange) => void) | undefined
}

export type ProxyVerdicts = ReturnType<typeof createProxyVerdicts>

const mostKeys = 1_000
const plans = Object.entries(shippedPlans)

/** Judges the service by the contract and by its answers, and its clients by their conduct. It keeps keys only to mask them. */
export function createProxyVerdicts(options: VerdictOptions) {
  const { log, secrets } = options
  const read = createProxiedCallReader(options.base)
  const keys = new BoundedMap<string, true>(mostKeys)
  const isKey = (text: string) => keys.get(text) === true
  const showOf = (exchange: Exchange) => conceal(exchange, secrets, isKey)
  const journal = new Journal<Exchange>(exchange => exchange)
  journal.join(new JournalBudget(options.journal))
  const textOf = (exchange: Exchange) => showOf(exchange).text
  const conduct = createConduct({
    secrets,
    textOf,
    isKey: (_, text) => isKey(text),
    startsAt: () => 1,
    onError: log.failure,
  })
  const contract = judgeContract(options, journal, showOf)
  const service = options.hasOwnContract ? undefined : createServiceJudge({ ...options, textOf })
  const noticeLinks = createLinkNotice(options.origin, log.notice)
  let givenUp = 0

  const judge = (proxied: ProxiedCall) => {
    const unmasked = read(proxied)
    const { key } = unmasked.trace
    if (key !== undefined) keys.set(key, true)
    options.record?.(withoutMark(unmasked))
    const asSent = withMaskedTrace(unmasked, showOf(unmasked).text)
    const exchange = withoutMark(asSent)
    const { kept, cost } = shortenExchange(exchange)
    journal.add(kept, cost)
    log.call?.(withMaskedTarget(exchange, showOf(exchange)))
    conduct.add(exchange)
    // One judge is enough for a call without an answer.
    if (service?.add(asSent) !== false) contract?.observe(exchange)
    if (options.noticesLinks) noticeLinks(exchange)
  }
  const report = (flights: boolean): ConductReport => {
    const reason = 'the client left before the answer was complete'
    const left = { checks: conductIds, count: givenUp, what: 'call', reason } as const
    return reportConduct(conduct, { plans, evicted: 0, flights, unjudged: givenUp === 0 ? [] : [left] })
  }

  return {
    journal,
    showOf,
    conduct: report,
    /** Judges an answered call, off the request path. */
    add: (proxied: ProxiedCall): void => {
      try {
        judge(proxied)
      } catch (error) {
        log.failure(error)
        conduct.unjudged.add({ what: 'An answered call', detail: reasonOf(error) }, true)
      }
    },
    addGivenUp: (): void => {
      givenUp += 1
    },
    /** Resolves with the reports when every call is judged. */
    end: async (): Promise<readonly Report[]> => {
      // The last answer is reported in the next turn, and a client that left one turn later.
      await nextTurn()
      await nextTurn()
      const further = [await contract?.report(), service?.report()]
      return [report(true), ...further.filter(made => made !== undefined)]
    },
  }
}

function judgeContract(
  { base, judgesContract, loadContract, hasOwnContract, log }: VerdictOptions,
  journal: Journal<Exchange>,
  showOf: (exchange: Exchange) => Show,
) {
  if (!judgesContract) return undefined
  const checkFiles = rememberOwnFiles()
  const verdict = createContractVerdict({
    judged: 'service',
    base,
    nextTurn,
    load: async () => {
      if (!hasOwnContract) checkFiles()
      return loadContract()
    },
    textOf: exchange => showOf(exchange).text,
    onBreach: (exchange, breaches, text) => {
      journal.note(exchange.id, breaches)
      const masked = breaches.map(breach => ({ ...breach, message: text(breach.message) }))
      log.breaches?.({ ...withMaskedTarget(exchange, showOf(exchange)), breaches: masked })
    },
    notice: log.notice,
  })
  return {
    ...verdict,
    /** A rule's answer is not the service's. */
    observe: (exchange: Exchange) => {
      if (exchange.trace.gate !== 'rule') verdict.observe(exchange)
    },
  }
}

function withMaskedTarget(exchange: Exchange, { target }: Show): Exchange {
  const { call } = exchange
  return { ...exchange, call: { ...call, target: target(call.target) } }
}

/** Masks the service's error code and mark, which appear everywhere and may name a key. */
function withMaskedTrace(exchange: Exchange, text: Show['text']): Exchange {
  const { code, rules } = exchange.trace
  const trace = { ...exchange.trace, code: code && text(code), rules: rules?.map(text) }
  return { ...exchange, trace }
}

/** Notices once that links lead clients past the proxy. */
function createLinkNotice(origin: string, notice: (text: string) => void): (exchange: Exchange) => void {
  let isNoticed = false
  return ({ reply: { headers } }) => {
    const { Link: link = '', Location: location = '' } = headers
    if (isNoticed || !(link.includes(`<${origin}/`) || location.startsWith(`${origin}/`))) return
    isNoticed = true
    notice(
      `Responses link to ${origin} in Link or Location. A client that follows such a link bypasses the proxy. To make the links lead to the proxy, use --rewrite-links.`,
    )
  }
}
