import { suggest } from '../../base/text/did-you-mean.ts'
import type { Environment } from '../terminal/io.ts'
import { handedVariables } from './handed-variables.ts'
import { serveFlags } from './serve-flags.ts'

/** Variables that exec sets for its command, and that the tests read. */
const otherVariables: readonly string[] = [...Object.values(handedVariables), 'PET_MOCK_TEST_REQUIRE']

/** Warns about variables that look like pet-mock's and are not. */
export function unknownVariables(env: Environment): readonly string[] {
  const known = Object.values(serveFlags).flatMap(({ variable }) =>
    variable === undefined ? [] : [variable],
  )
  return Object.keys(env)
    .filter(name => name.startsWith('PET_MOCK_') && !known.includes(name) && !otherVariables.includes(name))
    .map(name => `${name} is not a variable of pet-mock${suggest(name, known) || '; see --help'}`)
}
