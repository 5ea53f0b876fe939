import { adminUrl, baseUrl, type Listening } from '../../doors/server/base-url.ts'
import type { NamedVariable } from '../arguments/env-flag.ts'
import { type Handed, handedVariables } from '../arguments/server-flags.ts'
import type { Environment } from '../terminal/io.ts'

/** The variables in which a command finds its server. */
export function clientVariables(
  server: Listening,
  key: string,
  named: readonly NamedVariable[],
): Environment {
  const values: Readonly<Record<Handed, string>> = { url: baseUrl(server), key, admin: adminUrl(server) }
  const usual = Object.entries(handedVariables).map(([what, name]) => ({ name, value: what as Handed }))
  return Object.fromEntries([...usual, ...named].map(({ name, value }) => [name, values[value]]))
}
