import { suggest } from '../../../base/text/did-you-mean.ts'
import { showValue } from '../../../control/files/show.ts'
import { type FlagReading, flag, many, right, type ValuesOf, wrong } from '../../arguments/flag.ts'
import type { LogFormat } from '../../arguments/flag-values.ts'
import { type Handed, handedVariables } from '../../arguments/handed-variables.ts'
import { reportFlags } from '../../arguments/report-flags.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'

/** A further variable for one of these: the name that the command knows it by. */
export interface NamedVariable {
  readonly name: string
  readonly tells: Handed
}

/** Those of serve, from one definition; what is usual around a command is another port and no log. */
export const execFlags = {
  ...serveFlags,
  port: flag<number>({ ...serveFlags.port, fallback: 0 }),
  'log-format': flag<LogFormat>({
    ...serveFlags['log-format'],
    about: 'the format of the log on stderr',
    fallback: 'silent',
  }),
  env: flag<readonly NamedVariable[]>({
    value: 'NAME=url|key|admin',
    group: 'The command:',
    about:
      'a further variable that tells it the base URL, the API key or where the admin plane is; may be repeated',
    fallback: [],
    read: texts => distinct(many(readVariable)(texts)),
  }),
  ...reportFlags,
}

export type ExecValues = ValuesOf<typeof execFlags>

const tellable = Object.keys(handedVariables) as readonly Handed[]

function readVariable(text: string): FlagReading<NamedVariable> {
  const split = text.indexOf('=')
  const [name, what] = [text.slice(0, Math.max(0, split)), text.slice(split + 1)]
  const tells = tellable.find(known => known === what)
  const shown = `NAME=${tellable.join('|')}, such as API_URL=url`
  if (!/^[A-Za-z_]\w*$/.test(name)) return wrong(`expected ${shown}, found ${showValue(text)}`)
  if (tells !== undefined) return right({ name, tells })
  return wrong(
    `expected one of ${tellable.join(', ')} for ${name}, found ${showValue(what)}${suggest(what, tellable)}`,
  )
}

/** One variable has one value. */
function distinct(reading: FlagReading<readonly NamedVariable[]>): FlagReading<readonly NamedVariable[]> {
  if (!reading.ok) return reading
  const names = reading.value.map(({ name }) => name)
  const twice = new Set(names.filter((name, at) => names.indexOf(name) !== at))
  return twice.size === 0 ? reading : wrong(...[...twice].map(name => `${name} is given more than once`))
}
