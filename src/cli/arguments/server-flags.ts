import { wholeNumbers } from '../../base/text/constraint.ts'
import { suggest } from '../../base/text/did-you-mean.ts'
import { showValue } from '../../control/files/show.ts'
import type { Environment } from '../terminal/io.ts'
import { isGroup, type LoadCommands } from './command.ts'
import {
  type FlagReading,
  type Flags,
  type FlagValues,
  flagGroup,
  many,
  right,
  type ValuesOf,
  variableOf,
  wrong,
} from './flag.ts'
import { numberOf, readUrl } from './flag-values.ts'
import { serveFlags } from './serve-flags.ts'

/** The environment variables in which exec hands its server's addresses and key to the command that it runs. */
export const handedVariables = { url: 'PET_MOCK_URL', key: 'PET_MOCK_KEY', admin: 'PET_MOCK_ADMIN' } as const
/** For a client that reaches another path than the API's. */
export const baseHint = `The base URL in ${handedVariables.url} ends in /v1: add paths to the whole of it.`
/** The variable in which rehearse names the situation. */
export const situationVariable = 'PET_MOCK_SITUATION'
/** The variable in which rehearse numbers the instances of a command. */
export const instanceVariable = 'PET_MOCK_INSTANCE'

export type Handed = keyof typeof handedVariables

export interface NamedVariable {
  readonly name: string
  readonly value: Handed
}

export const envFlag = flagGroup('The command:').flag<readonly NamedVariable[]>({
  value: 'NAME=url|key|admin',
  about:
    "also put the base URL (url), the API key (key) or the admin plane's URL (admin) in this variable; repeatable",
  fallback: [],
  type: 'list',
  read: texts => distinct(many(readVariable)(texts)),
})

const handed = Object.keys(handedVariables) as readonly Handed[]

function readVariable(text: string): FlagReading<NamedVariable> {
  const split = text.indexOf('=')
  const [name, what] = [text.slice(0, Math.max(0, split)), text.slice(split + 1)]
  const value = handed.find(known => known === what)
  const shown = `NAME=${handed.join('|')}, such as API_URL=url`
  if (handed.some(one => handedVariables[one] === name)) return wrong(`the command gets ${name} in any case`)
  if (!/^[A-Za-z_]\w*$/.test(name)) return wrong(`expected ${shown}, found ${showValue(text)}`)
  if (value !== undefined) return right({ name, value })
  return wrong(
    `expected one of ${handed.join(', ')} for ${name}, found ${showValue(what)}${suggest(what, handed)}`,
  )
}

function distinct(reading: FlagReading<readonly NamedVariable[]>): FlagReading<readonly NamedVariable[]> {
  if (!reading.ok) return reading
  const names = reading.value.map(({ name }) => name)
  const twice = new Set(names.filter((name, at) => names.indexOf(name) !== at))
  return twice.size === 0 ? reading : wrong(...[...twice].map(name => `${name} is given more than once`))
}

const which = flagGroup('Which server:')

export const serverFlags = {
  url: which.optional({
    // Inside `pet-mock exec`, the server of exec.
    variable: handedVariables.url,
    value: 'URL',
    about: 'the URL of the API or the admin plane [the only server on this machine]',
    parse: readUrl,
  }),
  port: which.optional({
    alias: 'p',
    value: 'PORT',
    about: 'the server of this machine on this port',
    // A variable of a server that chooses its port names no server.
    parse: numberOf(wholeNumbers('a port from 1 to 65535', 0, 65_535)),
  }),
  sandbox: which.text({ value: 'NAME', about: 'the sandbox, or * for all [default]' }),
  'admin-token': which.flag({ ...serveFlags['admin-token'], about: "the server's admin token" }),
  json: flagGroup('Options:').toggle({ about: 'print the response of the admin plane as one line of JSON' }),
} satisfies Flags

type UrlFlags = Pick<FlagValues<Pick<ServerValues, 'url' | 'port'>>, 'values' | 'typed'>

/** The URL of the flag that was typed, else of PET_MOCK_URL, else of PET_MOCK_PORT. */
export function serverUrl({ values: { url, port }, typed }: UrlFlags): URL | undefined {
  const ofPort = port === undefined || port === 0 ? undefined : new URL(`http://127.0.0.1:${port}`)
  return typed.has('port') ? ofPort : (url ?? ofPort)
}

export function checkServerUrl({ values, typed }: UrlFlags): readonly string[] {
  if (typed.has('port') && typed.has('url')) return ['Give --url or --port, not both.']
  return typed.has('port') && values.port === 0 ? ['--port: expected a port from 1 to 65535, found "0"'] : []
}

export type ServerValues = ValuesOf<typeof serverFlags>

function variablesOf(flags: Flags): readonly string[] {
  return Object.entries(flags).map(([name, flag]) => variableOf(name, flag))
}

/** Warns about variables that look like pet-mock's and are not. */
export async function unknownVariables(env: Environment, load: LoadCommands): Promise<readonly string[]> {
  const known = new Set([
    ...variablesOf(serveFlags),
    ...Object.values(handedVariables),
    situationVariable,
    instanceVariable,
  ])
  // The tests of pet-mock read their own.
  const isUnknown = (name: string) => /^PET_MOCK_(?!TEST_)/.test(name) && !known.has(name)
  const all = Object.keys(env).some(isUnknown) ? await load() : []
  const commands = all.flatMap(one => (isGroup(one) ? one.commands : [one]))
  for (const { flags } of commands) for (const name of variablesOf(flags)) known.add(name)
  const key = env[handedVariables.key]?.trim() ?? ''
  const meant = variableOf('add-key', serveFlags['add-key'])
  const mistaken = /^[^=\s]+=[a-z][\w-]*$/i.test(key)
    ? [`${handedVariables.key} adds no key: it names the key of a client; did you mean ${meant}=${key}?`]
    : []
  const unknown = Object.keys(env)
    .filter(isUnknown)
    .map(name => `${name} is not a variable of pet-mock${suggest(name, known) || '; see --help'}`)
  return [...mistaken, ...unknown]
}
