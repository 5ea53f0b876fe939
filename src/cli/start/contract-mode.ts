import { nextTurn } from '../../doors/server/next-turn.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { createContractTally } from '../../judges/contract/contract-report.ts'
import { judgeInBackground } from '../../judges/contract/judge-in-background.ts'
import { concealKeys } from '../../judges/inspection/conceal.ts'
import type { Report } from '../../judges/report/report.ts'
import type { ContractChoice } from '../arguments/flag-values.ts'
import type { Reporter } from '../log/reporter.ts'

/** The judging of all that a server answers, `--contract warn` and `error`. */
export interface ContractMode {
  /** Resolves with the verdict when all that came is judged. */
  readonly end: () => Promise<Report>
}

/** Judges from now on, by the file at a path, else by openapi.yaml; Prism is imported when the first exchange is there. */
export function startContractMode(
  mode: Exclude<ContractChoice, 'off'>,
  emulator: Emulator,
  { notice, failure, breaches: tell }: Reporter,
  path: string | undefined,
): ContractMode {
  const tally = createContractTally(mode === 'error' ? 'error' : 'warning')
  // The world of a sandbox may be another one when the verdict is there.
  const worlds = new WeakMap<Exchange, World>()
  const background = judgeInBackground({
    nextTurn,
    load: async () => {
      const { loadContract } = await import('../../doors/disk/load-contract.ts')
      const loaded = await loadContract(path)
      if (!loaded.ok) throw new Error(loaded.complaints.join('\n'))
      return loaded.judge
    },
    onBreach: (exchange, breaches) => {
      const world = worlds.get(exchange)
      world?.journal.note(exchange.id, breaches)
      tally.add(
        exchange,
        breaches,
        concealKeys(exchange, text => world?.keys.has(text) === true),
      )
      tell?.({ exchange, breaches })
    },
    onError: failure,
    onSkip: () => notice('More calls come than can be judged by the contract: some are skipped.'),
  })
  emulator.observe(exchange => {
    const world = emulator.sandboxes.get(exchange.sandbox)
    if (world !== undefined) worlds.set(exchange, world)
    background.observe(exchange)
  })
  return { end: async () => tally.report(await background.settled()) }
}
