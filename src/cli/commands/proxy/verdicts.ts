import type { LoadedContract } from '../../../doors/disk/load-contract.ts'
import type { Passage } from '../../../doors/proxy/proxied-call.ts'
import { createPassageReader } from '../../../doors/proxy/read-proxied-call.ts'
import { shortenExchange } from '../../../doors/proxy/shorten-exchange.ts'
import { nextTurn } from '../../../doors/server/next-turn.ts'
import type { Exchange } from '../../../emulator/journal/exchange.ts'
import { Journal } from '../../../emulator/journal/journal.ts'
import { BoundedMap } from '../../../judges/conduct/bounded-map.ts'
import { createConduct } from '../../../judges/conduct/conduct.ts'
import { type ConductReport, reportConduct } from '../../../judges/conduct/conduct-report.ts'
import { contractRemedies, createContractTally } from '../../../judges/contract/contract-report.ts'
import { type BackgroundJudge, judgeInBackground } from '../../../judges/contract/judge-in-background.ts'
import { concealKeys, type ShowText } from '../../../judges/inspection/conceal.ts'
import type { Report } from '../../../judges/report/report.ts'
import { shippedPlans } from '../../../service/plans/plan.ts'
import type { ContractChoice } from '../../arguments/flag-values.ts'
import type { Reporter } from '../../log/reporter.ts'

export interface ProxyVerdicts {
  /** Takes in a call that has its answer; never on its path. */
  readonly add: (passage: Passage) => void
  readonly addGivenUp: () => void
  /** The last calls, for whoever looks. */
  readonly journal: Journal<Exchange>
  /** Masks the keys of an exchange. */
  readonly textOf: (exchange: Exchange) => ShowText
  readonly conduct: (flights: boolean) => ConductReport
  /** Resolves with both verdicts when all that came is judged. */
  readonly end: () => Promise<readonly Report[]>
}

export interface VerdictOptions {
  /** The path below which the API is. */
  readonly base: string
  /** Of the upstream. */
  readonly origin: string
  readonly mode: ContractChoice
  readonly loadContract: () => Promise<LoadedContract>
  readonly reporter: Reporter
}

const journalCapacity = 1_000
const mostKeys = 1_000

/** Judges what passes: the service by the contract, its clients by their conduct. No key is kept beyond its mask's need. */
export function createProxyVerdicts({
  base,
  origin,
  mode,
  loadContract,
  reporter,
}: VerdictOptions): ProxyVerdicts {
  const { notice, failure, call: tell, breaches: tellBreaches } = reporter
  const read = createPassageReader(base)
  const keys = new BoundedMap<string, true>(mostKeys)
  const isKey = (text: string) => keys.get(text) === true
  const textOf = (exchange: Exchange) => concealKeys(exchange, isKey)
  const journal = new Journal<Exchange>(journalCapacity, exchange => exchange)
  const conduct = createConduct({ textOf, isKey: (_, text) => isKey(text), startsAt: () => 1 })
  const tally = createContractTally(mode === 'error' ? 'error' : 'warning', contractRemedies.service)
  let givenUp = 0
  let hasToldOfLinks = false

  const contract: BackgroundJudge | undefined =
    mode === 'off'
      ? undefined
      : judgeInBackground({
          nextTurn,
          base,
          load: async () => {
            const loaded = await loadContract()
            if (!loaded.ok) throw new Error(loaded.complaints.join('\n'))
            return loaded.judge
          },
          onBreach: (exchange, breaches) => {
            const text = textOf(exchange)
            journal.note(exchange.id, breaches)
            tally.add(exchange, breaches, text)
            const shown = breaches.map(breach => ({ ...breach, message: text(breach.message) }))
            tellBreaches?.({ exchange: masked(exchange, text), breaches: shown })
          },
          onError: error => failure(error),
          onSkip: () => notice('More calls come than can be judged by the contract: some are skipped.'),
        })

  const judge = (passage: Passage) => {
    const seen = read(passage)
    const { key } = seen.trace
    if (key !== undefined) keys.set(key, true)
    const exchange = withMaskedTrace(seen, textOf(seen))
    journal.add(shortenExchange(exchange))
    tell?.(masked(exchange, textOf(exchange)))
    conduct.add(exchange)
    contract?.observe(exchange)
    const { Link: link = '', Location: location = '' } = exchange.reply.headers
    if (hasToldOfLinks || !(link.includes(`<${origin}/`) || location.startsWith(`${origin}/`))) return
    hasToldOfLinks = true
    notice(
      `Answers name ${origin} in Link or Location, unchanged: a client that goes there leaves the proxy.`,
    )
  }
  const report = (flights: boolean): ConductReport => {
    const told = reportConduct(conduct, { plans: Object.entries(shippedPlans), evicted: 0, flights })
    if (givenUp === 0) return told
    const calls = givenUp === 1 ? '1 call was' : `${givenUp} calls were`
    return {
      ...told,
      notes: [...told.notes, `${calls} given up by the client before the answer was whole, and not judged.`],
    }
  }

  return {
    journal,
    textOf,
    conduct: report,
    add: passage => {
      try {
        judge(passage)
      } catch (error) {
        failure(error)
      }
    },
    addGivenUp: () => {
      givenUp += 1
    },
    end: async () => {
      // What was answered last is told in the next turn, and in the one after it that a client was let go of.
      for (let turn = 0; turn < 2; turn += 1) await new Promise(resolve => setImmediate(resolve))
      return [report(true), ...(contract === undefined ? [] : [tally.report(await contract.settled())])]
    },
  }
}

/** As the log may have it. */
function masked(exchange: Exchange, text: ShowText): Exchange {
  const { call } = exchange
  return { ...exchange, call: { ...call, target: text(call.target) } }
}

/** What a service calls its errors goes everywhere as it is, and may name a key. */
function withMaskedTrace(exchange: Exchange, text: ShowText): Exchange {
  const { code, rules } = exchange.trace
  if (code === undefined && rules === undefined) return exchange
  const trace = {
    ...exchange.trace,
    code: code === undefined ? undefined : text(code),
    rules: rules?.map(text),
  }
  return { ...exchange, trace }
}
