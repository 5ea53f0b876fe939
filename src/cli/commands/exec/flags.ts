import { suggest } from '../../../base/text/did-you-mean.ts'
import { showValue } from '../../../control/files/show.ts'
import {
  type Flag,
  type FlagReading,
  flagGroup,
  many,
  right,
  type ValuesOf,
  wrong,
} from '../../arguments/flag.ts'
import { type LogFormat, wordOf } from '../../arguments/flag-values.ts'
import { findings, reportFlags } from '../../arguments/report-flags.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'
import { type Handed, handedVariables } from '../../arguments/server-flags.ts'

/** Another name for a variable that the command gets. */
export interface NamedVariable {
  readonly name: string
  readonly value: Handed
}

const conductModes = ['off', 'report'] as const
export type ConductMode = (typeof conductModes)[number]

/** The flags of serve, with any port and no log as defaults. */
export const execFlags = {
  ...serveFlags,
  port: { ...serveFlags.port, fallback: 0 },
  'log-format': {
    ...serveFlags['log-format'],
    about: 'the format of the log on stderr',
    fallback: 'silent',
  } satisfies Flag<LogFormat>,
  env: flagGroup('The command:').flag<readonly NamedVariable[]>({
    value: 'NAME=url|key|admin',
    about:
      "also put the base URL (url), the API key (key) or the admin plane's URL (admin) in this variable; repeatable",
    fallback: [],
    type: 'list',
    read: texts => distinct(many(readVariable)(texts)),
  }),
  conduct: findings.optional<ConductMode>({
    value: conductModes.join('|'),
    about:
      'what to do with findings about the calls: off judges no conduct, report prints findings that fail nothing, as --fail-on never does [findings fail as --fail-on says]',
    words: conductModes,
    parse: wordOf(conductModes),
  }),
  ...reportFlags,
}

export type ExecValues = ValuesOf<typeof execFlags>

const handed = Object.keys(handedVariables) as readonly Handed[]

function readVariable(text: string): FlagReading<NamedVariable> {
  const split = text.indexOf('=')
  const [name, what] = [text.slice(0, Math.max(0, split)), text.slice(split + 1)]
  const value = handed.find(known => known === what)
  const shown = `NAME=${handed.join('|')}, such as API_URL=url`
  if (!/^[A-Za-z_]\w*$/.test(name)) return wrong(`expected ${shown}, found ${showValue(text)}`)
  if (value !== undefined) return right({ name, value })
  return wrong(
    `expected one of ${handed.join(', ')} for ${name}, found ${showValue(what)}${suggest(what, handed)}`,
  )
}

/** Rejects a name that occurs twice. */
function distinct(reading: FlagReading<readonly NamedVariable[]>): FlagReading<readonly NamedVariable[]> {
  if (!reading.ok) return reading
  const names = reading.value.map(({ name }) => name)
  const twice = new Set(names.filter((name, at) => names.indexOf(name) !== at))
  return twice.size === 0 ? reading : wrong(...[...twice].map(name => `${name} is given more than once`))
}
