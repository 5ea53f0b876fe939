import type { Breach, Exchange } from '../../emulator/journal/exchange.ts'
import type { ShowText } from '../inspection/conceal.ts'
import type { Report } from '../report/report.ts'
import { createContractTally } from './contract-report.ts'
import { judgeInBackground } from './judge-in-background.ts'

interface ContractVerdictOptions
  extends Pick<Parameters<typeof judgeInBackground>[0], 'base' | 'load' | 'nextTurn'> {
  /** The severity of a breach, and of a call without a verdict. */
  readonly mode: 'warn' | 'error'
  /** What to do about a response that breaks the contract. */
  readonly remedy?: string
  /** Masks the keys of an exchange. */
  readonly textOf: (exchange: Exchange) => ShowText
  readonly onBreach: (exchange: Exchange, breaches: readonly Breach[], text: ShowText) => void
  /** Prints a text for people. */
  readonly notice: (text: string) => void
}

/** Judges exchanges by the contract, off the request path. `report` resolves when every exchange has its verdict. */
export function createContractVerdict(options: ContractVerdictOptions) {
  const { mode, remedy, textOf, onBreach, notice, ...judging } = options
  const tally = createContractTally(mode === 'error' ? 'error' : 'warning', remedy)
  const noticed = new Set<string>()
  const { ready, observe, settled } = judgeInBackground({
    ...judging,
    onBreach: (exchange, breaches) => {
      const text = textOf(exchange)
      tally.add(exchange, breaches, text)
      onBreach(exchange, breaches, text)
    },
    onUnjudged: (exchange, reason) => {
      const { what, detail } = tally.addUnjudged(exchange, reason, textOf(exchange))
      const [kind = ''] = reason.split(':')
      if (noticed.has(kind)) return
      noticed.add(kind)
      notice(`The contract check has no verdict on ${what}: ${detail}`)
    },
  })
  return { ready, observe, report: async (): Promise<Report> => tally.report(await settled()) }
}
