import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Emulator } from '../../emulator/emulator.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { createContractTally } from '../../judges/contract/contract-report.ts'
import { judgeInBackground } from '../../judges/contract/judge-in-background.ts'
import { concealKeys } from '../../judges/inspection/conceal.ts'
import type { Report } from '../../judges/report/report.ts'
import type { ServeValues } from '../arguments/serve-flags.ts'
import type { Reporter } from '../log/reporter.ts'

/**
 * Checks every exchange against the contract, for `--contract warn` and `error`. Without --openapi, the contract is
 * openapi.yaml. Prism is imported with the first exchange. The returned function resolves with the report once all
 * exchanges are checked.
 */
export function startContractMode(
  { contract, openapi }: ServeValues,
  emulator: Emulator,
  { notice, failure, breaches: report }: Reporter,
): () => Promise<Report> {
  const tally = createContractTally(contract === 'error' ? 'error' : 'warning')
  // By the time of the result, the sandbox may have another world.
  const worlds = new WeakMap<Exchange, World>()
  const background = judgeInBackground({
    nextTurn,
    load: async () => {
      const { loadContract } = await import('../../doors/disk/load-contract.ts')
      const loaded = await loadContract(openapi)
      if (!loaded.ok) throw new Error(loaded.complaints.join('\n'))
      return loaded.value
    },
    onBreach: (exchange, breaches) => {
      const world = worlds.get(exchange)
      world?.journal.note(exchange.id, breaches)
      tally.add(
        exchange,
        breaches,
        concealKeys(exchange, text => world?.keys.has(text) === true),
      )
      report?.({ exchange, breaches })
    },
    onError: failure,
    onSkip: () => notice('Too many calls to check all of them against the contract: some are skipped.'),
  })
  emulator.observe(exchange => {
    const world = emulator.sandboxes.get(exchange.sandbox)
    if (world !== undefined) worlds.set(exchange, world)
    background.observe(exchange)
  })
  return async () => tally.report(await background.settled())
}
