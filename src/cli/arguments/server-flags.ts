import { wholeNumbers } from '../../base/text/constraint.ts'
import { suggest } from '../../base/text/did-you-mean.ts'
import type { Environment } from '../terminal/io.ts'
import { type Flags, type FlagValues, flagGroup, right, type ValuesOf } from './flag.ts'
import { numberOf, readUrl } from './flag-values.ts'
import { serveFlags } from './serve-flags.ts'

/** The environment variables in which exec hands its server's addresses and key to the command that it runs. */
export const handedVariables = { url: 'PET_MOCK_URL', key: 'PET_MOCK_KEY', admin: 'PET_MOCK_ADMIN' } as const
export type Handed = keyof typeof handedVariables

const which = flagGroup('Which server:')

export const serverFlags = {
  url: which.optional({
    // Inside `pet-mock exec`, the server of exec.
    variable: handedVariables.admin,
    value: 'URL',
    about: 'the URL of the API or the admin plane [the only server on this machine]',
    parse: readUrl,
  }),
  port: which.optional({
    alias: 'p',
    value: 'PORT',
    about: 'the server of this machine on this port',
    parse: numberOf(wholeNumbers('a port from 1 to 65535', 1, 65_535)),
  }),
  sandbox: which.optional({
    value: 'NAME',
    about: 'the sandbox, or * for all [default]',
    parse: right,
  }),
  'admin-token': which.flag({ ...serveFlags['admin-token'], about: "the server's admin token" }),
  json: flagGroup('Options:').toggle({ about: 'print the response of the admin plane as one line of JSON' }),
} satisfies Flags

type UrlValues = Pick<ServerValues, 'url' | 'port'>

/** The URL of --port, which overrides an environment variable, or of --url. */
export function serverUrl({ url, port }: UrlValues): URL | undefined {
  return port === undefined ? url : new URL(`http://127.0.0.1:${port}`)
}

export function checkServerUrl({
  values,
  typed,
}: Pick<FlagValues<UrlValues>, 'values' | 'typed'>): readonly string[] {
  return values.port !== undefined && typed.has('url') ? ['Give --url or --port, not both.'] : []
}

export type ServerValues = ValuesOf<typeof serverFlags>

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
