import { flag, one, optional, right, toggle, type ValuesOf } from '../arguments/flag.ts'
import { readDurationFlag, readUrl } from '../arguments/flag-values.ts'
import { serveFlags } from '../arguments/serve-flags.ts'

const how = 'Options:'
const where = 'Against a server:'

export const fileFlags = { fixtures: { ...serveFlags.fixtures, group: how } }

export const listFlags = { json: toggle({ group: how, about: 'print one line of JSON' }) }

export const checkFlags = {
  ...fileFlags,
  json: toggle({ group: how, about: 'print a line of JSON for each file' }),
}

export const playFlags = {
  all: toggle({ group: how, about: 'play every shipped scenario' }),
  ...fileFlags,
  json: toggle({ group: how, about: 'print a line of JSON for each walkthrough' }),
  against: optional({
    value: 'URL',
    group: where,
    about: 'play against this server instead of in process, such as http://127.0.0.1:7387/v1',
    parse: readUrl,
  }),
  key: optional({
    value: 'KEY',
    group: where,
    about: "the API key to use instead of the scenario's; all calls use its sandbox",
    parse: right,
  }),
  'admin-token': {
    ...serveFlags['admin-token'],
    group: where,
    about: "the server's admin token, to move its clock and make changes",
  },
  'max-wait': flag<number>({
    value: 'DURATION',
    group: where,
    about: 'the longest total wait for a clock that cannot be moved',
    fallback: 120_000,
    defaultText: '2m',
    read: one(readDurationFlag),
  }),
}

export type FileValues = ValuesOf<typeof fileFlags>
export type ListValues = ValuesOf<typeof listFlags>
export type CheckValues = ValuesOf<typeof checkFlags>
export type PlayValues = ValuesOf<typeof playFlags>
