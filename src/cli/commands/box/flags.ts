import { wholeNumbers } from '../../../base/text/constraint.ts'
import { sandboxNames } from '../../../emulator/worlds/constraints.ts'
import { type Otherwise, readOtherwise } from '../../../judges/box/runs/what-if.ts'
import { type FlagReading, flagGroup, one, right, type ValuesOf, wrong } from '../../arguments/flag.ts'
import { numberOf } from '../../arguments/flag-values.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'

const options = flagGroup('Options:', 'BOX_')

const whatIf = flagGroup('What if:', 'BOX_')

export const readFlags = {
  openapi: options.path({ about: 'the contract of the run, if the box has only its digest' }),
}

export const showFlags = {
  ...readFlags,
  json: options.toggle({ about: 'print a line of JSON for each call' }),
}

export const playFlags = {
  ...readFlags,
  from: whatIf.optional<number>({
    value: 'CALL',
    about: 'make one change before the call with this number, and name the responses that differ',
    parse: numberOf(wholeNumbers('the number of a call', 1)),
  }),
  set: whatIf.optional<Otherwise>({
    value: 'NAME=VALUE',
    about:
      'the change: plan=pro, ban=off or ban=5m for the key of the call, or a setting, such as limits.retryAfter=http-date',
    parse: text => {
      const read = readOtherwise(text)
      return typeof read === 'string' ? wrong(read) : right(read)
    },
  }),
  rule: whatIf.path({ about: 'the change: the rules of a file' }),
  profile: whatIf.path({ about: 'the change: what pet-mock learn wrote about the service' }),
}

export const shortenFlags = {
  finding: options.text({
    value: 'ID',
    about: 'the finding that must stay, such as early-retry [the worst one of the run]',
  }),
  'max-runs': options.flag<number>({
    value: 'N',
    about: 'how often the run may be played',
    fallback: 2_000,
    read: one(numberOf(wholeNumbers('a number of runs from 2 to 1000000', 2, 1_000_000))),
  }),
  output: options.path({ writes: true, alias: 'o', about: 'write the calls that are left to this box' }),
  ...readFlags,
}

export const exportFlags = {
  html: options.path({ writes: true, about: 'write one page that has the run and the dashboard' }),
}

/** A call by its number in the box, or by its number in a sandbox. */
export type CallPlace = number | { readonly sandbox: string; readonly id: number }

function readPlace(text: string): FlagReading<CallPlace> {
  const [, sandbox, digits = ''] = /^(?:(.+):)?(\d{1,15})$/.exec(text) ?? []
  const number = Number(digits)
  if (number > 0 && sandbox === undefined) return right(number)
  if (number > 0 && sandboxNames.accepts(sandbox)) return right({ sandbox: sandbox ?? '', id: number })
  return wrong(`expected the number of a call, such as 37 or worker-3:12, found ${JSON.stringify(text)}`)
}

function readNamedKey(text: string): FlagReading<{ readonly name: string; readonly key: string }> {
  const [, name, key] = /^([^=\s]+)=(\S+)$/.exec(text) ?? []
  return name !== undefined && key !== undefined
    ? right({ name, key })
    : wrong('expected NAME=KEY, such as key-1-0a1b2c3d=my-key')
}

export const openFlags = {
  at: options.optional<CallPlace>({
    value: 'CALL',
    about: 'serve what was there before this call: its number, or sandbox:id [the end of the run]',
    parse: readPlace,
  }),
  as: options.list({
    value: 'NAME=KEY',
    about: 'let a client that sends KEY be the one that the box calls NAME; repeatable',
    parse: readNamedKey,
  }),
  ...readFlags,
  port: serveFlags.port,
  'admin-token': serveFlags['admin-token'],
  'log-format': serveFlags['log-format'],
}

export type PlayValues = ValuesOf<typeof playFlags>
