import { flagGroup, one, type ValuesOf } from '../arguments/flag.ts'
import { archiveUrl, readDurationFlag, readUrl } from '../arguments/flag-values.ts'
import { serveFlags } from '../arguments/serve-flags.ts'

const options = flagGroup('Options:')
const server = flagGroup('Against a server:', '', 'against')

const fileFlags = { fixtures: options.flag(serveFlags.fixtures) }

export const showFlags = { ...fileFlags, profile: options.flag(serveFlags.profile) }

export const listFlags = { json: options.toggle({ about: 'print one line of JSON' }) }

export const checkFlags = {
  ...fileFlags,
  json: options.toggle({ about: 'print a line of JSON for each file' }),
}

export const playFlags = {
  all: options.toggle({ about: 'play every shipped scenario' }),
  ...fileFlags,
  json: options.toggle({ about: 'print a line of JSON for each walkthrough' }),
  against: flagGroup('Against a server:').optional({
    value: 'URL',
    about: 'play against this server instead of in process, such as http://127.0.0.1:7387/v1',
    parse: readUrl,
  }),
  key: server.text({
    variable: 'PET_MOCK_PLAY_KEY',
    value: 'KEY',
    about: "send this API key instead of the scenario's; KEY+NAME uses the sandbox NAME",
  }),
  'admin-token': server.flag({
    ...serveFlags['admin-token'],
    about: "the server's admin token, to move its clock and make changes",
  }),
  'max-time': server.flag<number>({
    value: 'DURATION',
    about: 'the longest time of the run, with all waits, on a server whose clock cannot be moved',
    fallback: 120_000,
    defaultText: '2m',
    read: one(readDurationFlag),
  }),
}

export const fromFlags = {
  output: options.text({
    writes: true,
    alias: 'o',
    value: 'FILE',
    about: 'write the scenario to this file instead of stdout',
  }),
  force: options.toggle({ about: 'replace an existing file' }),
  url: options.optional({
    ...archiveUrl,
    about: 'the base URL of the API in the archive [the one under /v1 with the most calls]',
  }),
  mask: serveFlags.mask,
}

export type FileValues = ValuesOf<typeof fileFlags>
export type PlayValues = ValuesOf<typeof playFlags>
