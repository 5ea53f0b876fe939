import { wholeNumbers } from '../../base/text/constraint.ts'
import { suggest } from '../../base/text/did-you-mean.ts'
import { showValue } from '../../control/files/show.ts'
import { type FlagReading, flagGroup, many, one, right, wrong } from './flag.ts'
import { numberOf, readDurationFlag } from './flag-values.ts'
import { serveFlags } from './serve-flags.ts'
import { type Handed, handedVariables } from './server-flags.ts'

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

export const runs = flagGroup('Runs:')

const timeouts = wholeNumbers('a duration from 1ms to 24h', 1, 86_400_000)

export const clientFlags = {
  timeout: runs.flag<number>({
    value: 'DURATION',
    about: 'how long one run may take, in real time; then it counts as hung',
    fallback: 60_000,
    defaultText: '60s',
    read: one(text => {
      const ms = readDurationFlag(text)
      const isFine = !ms.ok || timeouts.accepts(ms.value)
      return isFine ? ms : wrong(`expected ${timeouts.expected}, found ${text}`)
    }),
  }),
  env: envFlag,
  'add-key': serveFlags['add-key'],
  pets: serveFlags.pets,
  profile: serveFlags.profile,
  latency: serveFlags.latency,
  fixtures: serveFlags.fixtures,
  openapi: serveFlags.openapi,
  'openapi-only': serveFlags['openapi-only'],
  cors: serveFlags.cors,
  'allowed-hosts': serveFlags['allowed-hosts'],
  'no-marks': serveFlags['no-marks'],
  mask: serveFlags.mask,
  'no-config': serveFlags['no-config'],
}

export const counts = numberOf(wholeNumbers('a whole number from 1 to 1000', 1, 1_000))
