import { adminUrl, baseUrl, type Listening } from '../../doors/server/base-url.ts'
import type { NamedVariable } from '../arguments/client-flags.ts'
import { type Handed, handedVariables } from '../arguments/server-flags.ts'
import type { Environment } from '../terminal/io.ts'

/** The words of the command after `--`. Some shells and npm take the first `--`: people write `-- --` there, and may write it everywhere. */
export function commandOf(words: readonly string[]): readonly string[] {
  const start = words.findIndex(word => word !== '--')
  return start === -1 ? [] : words.slice(start)
}

/** Complaints about a command that cannot be one. `name`: of the command of pet-mock that runs it. */
export function checkCommand(name: string, [program]: readonly string[]): readonly string[] {
  if (program === undefined)
    return [`Expected: pet-mock ${name} -- COMMAND, such as pet-mock ${name} -- npm test`]
  return program === '' ? ['The command after -- is empty. Is a variable unset?'] : []
}

/** The environment of a command that pet-mock runs: our own variables would change a pet-mock inside it. */
export function withoutOwn(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^PET_MOCK_(?!TEST_)/.test(name)))
}

export function clientVariables(server: Listening, key: string, named: readonly NamedVariable[]) {
  const values: Readonly<Record<Handed, string>> = { url: baseUrl(server), key, admin: adminUrl(server) }
  const usual = Object.entries(handedVariables).map(([what, name]) => ({ name, value: what as Handed }))
  return Object.fromEntries([...usual, ...named].map(({ name, value }) => [name, values[value]]))
}
