import { flag, one, optional, right, toggle, type ValuesOf } from '../arguments/flag.ts'
import { readDurationFlag, readUrl } from '../arguments/flag-values.ts'
import { serveFlags } from '../arguments/serve-flags.ts'

const how = 'How:'
const where = 'Against a server:'

const json = toggle({ group: how, about: 'for programs' })
const fixtures = { ...serveFlags.fixtures, group: how }

/** The flags of `scenarios play`. */
export const playFlags = {
  all: toggle({ group: how, about: 'every shipped scenario' }),
  fixtures,
  json: { ...json, about: 'a line of JSON for each story, for programs' },
  against: optional({
    value: 'URL',
    group: where,
    about: 'play against this server, such as http://127.0.0.1:7387/v1, and not in process',
    parse: readUrl,
  }),
  key: optional({
    value: 'KEY',
    group: where,
    about: "the API key to call with, in the place of the scenario's; its sandbox is for the whole story",
    parse: right,
  }),
  'admin-token': flag<string | undefined>({
    ...serveFlags['admin-token'],
    group: where,
    about: 'the token that it was started with: its clock is moved, and changes are made, by its admin plane',
  }),
  'max-wait': flag<number>({
    value: 'DURATION',
    group: where,
    about: 'how long to wait in all, where the clock cannot be moved [2m]',
    fallback: 120_000,
    read: one(readDurationFlag),
  }),
}
export const listFlags = { json: { ...json, about: 'one line of JSON, for programs' } }
export const fileFlags = { fixtures }
export const checkFlags = {
  ...fileFlags,
  json: { ...json, about: 'a line of JSON for each file, for programs' },
}

export type PlayValues = ValuesOf<typeof playFlags>
export type ListValues = ValuesOf<typeof listFlags>
export type FileValues = ValuesOf<typeof fileFlags>
export type CheckValues = ValuesOf<typeof checkFlags>
