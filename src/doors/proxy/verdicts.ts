import { setImmediate as nextTurn } from 'node:timers/promises'
import { BoundedMap } from '../../base/bounded-map.ts'
import { formatCount } from '../../base/text/quantities.ts'
import type { Breach, Exchange } from '../../emulator/journal/exchange.ts'
import { Journal } from '../../emulator/journal/journal.ts'
import { JournalBudget, type JournalLimits } from '../../emulator/journal/journal-budget.ts'
import { createConduct } from '../../judges/conduct/conduct.ts'
import { type ConductReport, reportConduct } from '../../judges/conduct/conduct-report.ts'
import { contractRemedies } from '../../judges/contract/contract-report.ts'
import { createContractVerdict } from '../../judges/contract/contract-verdict.ts'
import { conceal, type Show } from '../../judges/inspection/conceal.ts'
import { notJudged } from '../../judges/report/judged.ts'
import type { Report } from '../../judges/report/report.ts'
import { reasonOf } from '../../judges/report/unjudged.ts'
import { createServiceJudge } from '../../judges/service/service-judge.ts'
import type { Secrets } from '../../service/keys/mask.ts'
import { shippedPlans } from '../../service/plans/plan.ts'
import { judgeOf, type LoadedContract, loadContract } from '../disk/load-contract.ts'
import { rememberOwnFiles } from '../disk/own-files.ts'
import type { ProxiedCall } from './call-record.ts'
import { shortenExchange } from './kept-exchange.ts'
import { createLinkNotice } from './link-notice.ts'
import { createProxiedCallReader } from './read-proxied-call.ts'

/** Receives what happens, as it happens. */
export interface ProxyLog {
  readonly call: ((exchange: Exchange) => void) | undefined
  readonly breaches:
    | ((broken: { readonly exchange: Exchange; readonly breaches: readonly Breach[] }) => void)
    | undefined
  readonly notice: (text: string) => void
  readonly failure: (error: unknown) => void
}

export interface VerdictOptions {
  /** The API's base path. */
  readonly base: string
  /** The upstream's. */
  readonly origin: string
  /** The severity of a breach; `off`: nothing is judged by the contract. */
  readonly contractMode: 'off' | 'warn' | 'error'
  /** Undefined: the shipped contract, loaded with the first call. */
  readonly contract: LoadedContract | undefined
  /** What the journal may keep. */
  readonly journal: JournalLimits
  readonly secrets: Secrets
  readonly log: ProxyLog
  /** Whether to notice links that lead past the proxy. */
  readonly noticesLinks: boolean
  /** Receives every exchange with its secrets. */
  readonly record?: ((exchange: Exchange) => void) | undefined
}

export type ProxyVerdicts = ReturnType<typeof createProxyVerdicts>

const mostKeys = 1_000

/** Judges the service by the contract and by its answers, and its clients by their conduct. It keeps keys only to mask them. */
export function createProxyVerdicts(options: VerdictOptions) {
  const { log, secrets } = options
  const read = createProxiedCallReader(options.base)
  const keys = new BoundedMap<string, true>(mostKeys)
  const isKey = (text: string) => keys.get(text) === true
  const showOf = (exchange: Exchange) => conceal(exchange, secrets, isKey)
  const journal = new Journal<Exchange>(exchange => exchange)
  journal.join(new JournalBudget(options.journal))
  const conduct = judgeConduct(options, showOf, isKey)
  const contract = judgeContract(options, journal, showOf)
  const service = judgeService(options, showOf)
  const noticeLinks = createLinkNotice(options.origin, log.notice)
  let givenUp = 0

  const judge = (proxied: ProxiedCall) => {
    const unmasked = read(proxied)
    const { key } = unmasked.trace
    if (key !== undefined) keys.set(key, true)
    options.record?.(unmasked)
    const exchange = withMaskedTrace(unmasked, showOf(unmasked).text)
    addToJournal(journal, exchange)
    log.call?.(withMaskedTarget(exchange, showOf(exchange)))
    conduct.add(exchange)
    contract?.observe(exchange)
    service?.add(exchange)
    if (options.noticesLinks) noticeLinks(exchange)
  }
  const report = (flights: boolean): ConductReport =>
    withGivenUp(reportConduct(conduct, { plans: Object.entries(shippedPlans), evicted: 0, flights }), givenUp)

  return {
    /** The last calls. */
    journal,
    /** Masks the secrets of an exchange. */
    showOf,
    conduct: report,
    /** Judges an answered call, off the request path. */
    add: (proxied: ProxiedCall): void => {
      try {
        judge(proxied)
      } catch (error) {
        log.failure(error)
        conduct.unjudged.add({ what: 'An answered call', detail: reasonOf(error) })
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

function addToJournal(journal: Journal<Exchange>, exchange: Exchange): void {
  const { kept, cost } = shortenExchange(exchange)
  journal.add(kept, cost)
}

/** Undefined for a service with a contract of its own: the rules of the API do not hold for it. */
function judgeService({ base, contract }: VerdictOptions, showOf: (exchange: Exchange) => Show) {
  if (contract !== undefined) return undefined
  return createServiceJudge({ base, textOf: exchange => showOf(exchange).text })
}

function judgeConduct(
  { secrets, log }: VerdictOptions,
  showOf: (exchange: Exchange) => Show,
  isKey: (text: string) => boolean,
) {
  return createConduct({
    secrets,
    textOf: exchange => showOf(exchange).text,
    isKey: (_, text) => isKey(text),
    startsAt: () => 1,
    onError: log.failure,
  })
}

function judgeContract(
  { base, contractMode, contract, log }: VerdictOptions,
  journal: Journal<Exchange>,
  showOf: (exchange: Exchange) => Show,
) {
  if (contractMode === 'off') return undefined
  const checkFiles = rememberOwnFiles()
  const verdict = createContractVerdict({
    mode: contractMode,
    remedy: contractRemedies.service,
    base,
    nextTurn,
    load: async () => {
      if (contract === undefined) checkFiles()
      return judgeOf(contract ?? (await loadContract(undefined)))
    },
    textOf: exchange => showOf(exchange).text,
    onBreach: (exchange, breaches, text) => {
      journal.note(exchange.id, breaches)
      const masked = breaches.map(breach => ({ ...breach, message: text(breach.message) }))
      log.breaches?.({ exchange: withMaskedTarget(exchange, showOf(exchange)), breaches: masked })
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

function withGivenUp(report: ConductReport, givenUp: number): ConductReport {
  if (givenUp === 0) return report
  const note = notJudged(formatCount(givenUp, 'call'), 'the client left before the answer was complete')
  return { ...report, notes: [...report.notes, note] }
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
