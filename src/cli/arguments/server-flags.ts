import { type Flags, flagGroup, right, type ValuesOf } from './flag.ts'
import { readUrl } from './flag-values.ts'
import { serveFlags } from './serve-flags.ts'

/** The environment variables in which exec hands its server's addresses and key to the command that it runs. */
export const handedVariables = { url: 'PET_MOCK_URL', key: 'PET_MOCK_KEY', admin: 'PET_MOCK_ADMIN' } as const
export type Handed = keyof typeof handedVariables

const which = flagGroup('Which server:')

/** The flags of every command for a running server. */
export const serverFlags = {
  url: which.optional({
    // Inside `pet-mock exec`, the server of exec.
    variable: handedVariables.admin,
    value: 'URL',
    about: 'the URL of the API or the admin plane [the only server on this machine]',
    parse: readUrl,
  }),
  sandbox: which.optional({
    value: 'NAME',
    about: 'the sandbox, or * for all [default]',
    parse: right,
  }),
  'admin-token': which.flag({ ...serveFlags['admin-token'], about: "the server's admin token" }),
  json: flagGroup('Options:').toggle({ about: 'print the response of the admin plane as one line of JSON' }),
} satisfies Flags

export type ServerValues = ValuesOf<typeof serverFlags>
