import { judgeInBackground } from '../contract/judge-in-background.ts'
import type { Emulator } from '../emulator/emulator.ts'
import type { Breach } from '../journal/breach.ts'
import type { Exchange } from '../journal/exchange.ts'
import { grouped } from './grouped.ts'
import type { Reporter } from './reporter.ts'

/** The judging of all exchanges of a server, `--contract warn` and `error`. */
export interface ContractMode {
  /**
   * Resolves when all is judged, with whether everything that was judged kept the contract. What is to be said of it
   * at the end is told: what broke, if no log has it, and how many exchanges were skipped.
   */
  readonly end: (tellsBreaches: boolean) => Promise<boolean>
}

/** Kinds of breaches that are told at the end. */
const mostTold = 20

/** Judges from now on; Prism is imported when the first exchange is there. */
export function startContractMode(
  emulator: Emulator,
  { notice, failure, breaches: tell }: Reporter,
): ContractMode {
  const kinds = new Map<string, number>()
  const note = (exchange: Exchange, breaches: readonly Breach[]) => {
    const { method } = exchange.call
    for (const { message } of breaches) {
      const line = `${method} ${pathOf(exchange)} ${exchange.reply.status}: ${message}`
      if (kinds.has(line) || kinds.size < 1_000) kinds.set(line, (kinds.get(line) ?? 0) + 1)
    }
  }
  const background = judgeInBackground({
    load: async () => {
      const { loadContract } = await import('../contract/load-contract.ts')
      const loaded = await loadContract(undefined)
      if (!loaded.ok) throw new Error(loaded.complaints.join('\n'))
      return loaded.judge
    },
    onBreach: (exchange, breaches) => {
      journals.get(exchange)?.note(exchange.id, breaches)
      note(exchange, breaches)
      tell?.({ exchange, breaches })
    },
    onError: failure,
    onSkip: () => notice('More calls come than can be judged by the contract: some are skipped.'),
  })
  // The world of a sandbox may be another one when the verdict is there.
  const journals = new WeakMap<Exchange, { note: (id: number, breaches: readonly Breach[]) => void }>()
  emulator.observe(exchange => {
    const journal = emulator.sandboxes.get(exchange.sandbox)?.journal
    if (journal !== undefined) journals.set(exchange, journal)
    background.observe(exchange)
  })
  return {
    end: async tellsBreaches => {
      const { judged, broken, skipped } = await background.settled()
      const ofSkipped =
        skipped === 0 ? '' : `, ${grouped(skipped)} skipped since more came than could be judged`
      if (skipped > 0 || broken > 0)
        notice(`The contract: ${grouped(broken)} of ${grouped(judged)} exchanges broke it${ofSkipped}.`)
      if (tellsBreaches) for (const line of linesOf(kinds)) notice(line)
      return broken === 0
    },
  }
}

function linesOf(kinds: ReadonlyMap<string, number>): readonly string[] {
  const all = [...kinds].map(([line, count]) => (count === 1 ? `  ${line}` : `  ${line} (${count} times)`))
  if (all.length <= mostTold) return all
  return [...all.slice(0, mostTold), `  … and ${all.length - mostTold} other kinds`]
}

function pathOf({ call: { target } }: Exchange): string {
  return target.split('?')[0] ?? ''
}
