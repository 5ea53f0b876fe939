import { suggest } from '../../base/text/did-you-mean.ts'
import { showValue } from '../../control/files/show.ts'
import { type FlagReading, flagGroup, many, right, wrong } from './flag.ts'
import { type Handed, handedVariables } from './server-flags.ts'

/** Another name for a variable that the command gets. */
export interface NamedVariable {
  readonly name: string
  readonly value: Handed
}

/** The flag --env of commands that run another one. */
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
