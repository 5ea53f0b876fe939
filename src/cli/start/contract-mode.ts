import { setImmediate as nextTurn } from 'node:timers/promises'
import { rememberOwnFiles } from '../../doors/server/own-files.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { createKnownKeys } from '../../emulator/worlds/sandboxes.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { createContractVerdict } from '../../judges/contract/contract-verdict.ts'
import { conceal } from '../../judges/inspection/conceal.ts'
import type { Reporter } from '../log/reporter.ts'
import type { OpenApi } from './load/load-openapi.ts'

/**
 * Checks every exchange against the contract, for `--contract`. Without --openapi, the contract is
 * openapi.yaml. Prism is imported with the first exchange or by `ready`. `report` resolves once all exchanges are checked.
 */
export function startContractMode(openapi: OpenApi | undefined, emulator: Emulator, reporter: Reporter) {
  const checkFiles = rememberOwnFiles()
  const keys = createKnownKeys(emulator.sandboxes)
  // By the time of the result, the sandbox may have another world.
  const worlds = new WeakMap<Exchange, World>()
  const loadBy = (openapi: OpenApi | undefined) => async () => {
    checkFiles()
    const { judgeOf, loadContract } = await import('../../library/files/load-contract.ts')
    return judgeOf(await (openapi?.loadJudge() ?? loadContract(undefined)))
  }
  const { ready, observe, report, reload } = createContractVerdict({
    judged: 'emulator',
    nextTurn,
    load: loadBy(openapi),
    textOf: exchange => conceal(exchange, emulator.sandboxes.secrets, keys.has).text,
    onBreach: (exchange, breaches) => {
      worlds.get(exchange)?.journal.note(exchange.id, breaches)
      reporter.breaches?.({ ...exchange, breaches })
    },
    notice: reporter.notice,
  })
  emulator.observe(exchange => {
    const world = emulator.sandboxes.get(exchange.sandbox)
    if (world !== undefined) worlds.set(exchange, world)
    observe(exchange)
  })
  return { ready, report, reload: (openapi: OpenApi | undefined) => reload(loadBy(openapi)) }
}
