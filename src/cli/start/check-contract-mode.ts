import { explainNoCodeGeneration } from '../../judges/contract/code-generation.ts'

/** Rejects `--contract` before the start where no call could be judged. `source`: the flag or its variable. */
export function checkContractMode(judges: boolean, source: string): readonly string[] {
  const obstacle = judges ? explainNoCodeGeneration() : undefined
  return obstacle === undefined ? [] : [`${source}: ${obstacle}, or use --no-contract.`]
}
