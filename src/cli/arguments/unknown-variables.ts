import { suggest } from '../../base/text/did-you-mean.ts'
import type { Environment } from '../terminal/io.ts'
import { handedVariables } from './handed-variables.ts'
import { serveFlags } from './serve-flags.ts'

/** What pet-mock hands to a child of its own, and what its tests read. */
const othersOwn: readonly string[] = [...Object.values(handedVariables), 'PET_MOCK_TEST_REQUIRE']

/** A warning for each variable that looks like ours and is read by nobody: most likely a slip. */
export function unknownVariables(env: Environment): readonly string[] {
  const twins = Object.values(serveFlags).flatMap(({ variable }) =>
    variable === undefined ? [] : [variable],
  )
  return Object.keys(env)
    .filter(name => name.startsWith('PET_MOCK_') && !twins.includes(name) && !othersOwn.includes(name))
    .map(name => `${name} is no variable that pet-mock reads${suggest(name, twins) || '; see --help'}`)
}
