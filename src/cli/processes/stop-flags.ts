import { flagGroup, type ValuesOf } from '../arguments/flag.ts'
import { serverFlags } from '../arguments/server-flags.ts'

export const stopFlags = {
  url: serverFlags.url,
  port: serverFlags.port,
  all: flagGroup('Options:').toggle({ about: 'stop every running server of this user' }),
  json: flagGroup('Options:').toggle({ about: 'print one line of JSON' }),
}

export type StopValues = ValuesOf<typeof stopFlags>
