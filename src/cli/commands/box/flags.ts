import { sandboxNames } from '../../../emulator/worlds/constraints.ts'
import { always, type FlagReading, flagGroup, right, type ValuesOf, wrong } from '../../arguments/flag.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'

const options = flagGroup('Options:', 'BOX_')

export const playFlags = {
  openapi: options.optional<string>({
    value: 'FILE',
    about: 'the contract of the run, if the box has only its digest',
    isPath: always,
    parse: right,
  }),
}

export const showFlags = {
  ...playFlags,
  json: options.toggle({ about: 'print a line of JSON for each call' }),
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

interface NamedKey {
  readonly name: string
  readonly key: string
}

function readNamedKey(text: string): FlagReading<NamedKey> {
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
  as: options.list<NamedKey>({
    value: 'NAME=KEY',
    about: 'let a client that sends KEY be the one that the box calls NAME; repeatable',
    parse: readNamedKey,
  }),
  ...playFlags,
  port: serveFlags.port,
  'admin-token': serveFlags['admin-token'],
  'log-format': serveFlags['log-format'],
}

export type ReadValues = ValuesOf<typeof playFlags>
export type ShowValues = ValuesOf<typeof showFlags>
export type OpenValues = ValuesOf<typeof openFlags>
