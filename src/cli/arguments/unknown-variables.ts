import { suggest } from '../../base/text/did-you-mean.ts'
import type { Environment } from '../terminal/io.ts'
import { serveFlags } from './serve-flags.ts'
import { handedVariables } from './server-flags.ts'

/** Warns about variables that look like pet-mock's and are not. */
export function unknownVariables(env: Environment): readonly string[] {
  const known = Object.values(serveFlags).flatMap(({ variable }) => variable ?? [])
  // Exec sets the variables for its command, and the tests of pet-mock read their own.
  const others: readonly string[] = Object.values(handedVariables)
  const key = env[handedVariables.key]?.trim() ?? ''
  const meant = serveFlags.key.variable
  const mistaken = /^[^=\s]+=[a-z][\w-]*$/i.test(key)
    ? [`${handedVariables.key} adds no key: it names the key of a client; did you mean ${meant}=${key}?`]
    : []
  const unknown = Object.keys(env)
    .filter(name => /^PET_MOCK_(?!TEST_)/.test(name) && !known.includes(name) && !others.includes(name))
    .map(name => `${name} is not a variable of pet-mock${suggest(name, known) || '; see --help'}`)
  return [...mistaken, ...unknown]
}
