import { type Flags, flag, optional, right, toggle, type ValuesOf } from './flag.ts'
import { readUrl } from './flag-values.ts'
import { handedVariables } from './handed-variables.ts'
import { serveFlags } from './serve-flags.ts'

const which = 'Which server:'

/** The flags of every command for a running server. */
export const serverFlags = {
  url: optional({
    // Inside `pet-mock exec`, the server of exec.
    variable: handedVariables.admin,
    value: 'URL',
    group: which,
    about: 'the URL of the API or the admin plane [the only server on this machine]',
    parse: readUrl,
  }),
  sandbox: optional({
    value: 'NAME',
    group: which,
    about: 'the sandbox, or * for all [default]',
    parse: right,
  }),
  'admin-token': flag<string | undefined>({
    ...serveFlags['admin-token'],
    group: which,
    about: "the server's admin token",
  }),
  json: toggle({
    group: 'Options:',
    about: 'print the response of the admin plane as one line of JSON',
  }),
} satisfies Flags

export type ServerValues = ValuesOf<typeof serverFlags>
