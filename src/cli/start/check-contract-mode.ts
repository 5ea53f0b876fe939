import { explainNoCodeGeneration } from '../../judges/contract/code-generation.ts'
import type { ContractChoice } from '../arguments/flag-values.ts'

/** Rejects `--contract` before the start where no call could be judged. `source`: the flag or its variable. */
export function checkContractMode(mode: ContractChoice, source: string): readonly string[] {
  const obstacle = mode === 'off' ? undefined : explainNoCodeGeneration()
  return obstacle === undefined ? [] : [`${source} ${mode}: ${obstacle}, or use --contract off.`]
}
