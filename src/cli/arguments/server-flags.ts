import { type Flags, flag, optional, right, toggle, type ValuesOf } from './flag.ts'
import { readUrl } from './flag-values.ts'
import { handedVariables } from './handed-variables.ts'
import { serveFlags } from './serve-flags.ts'

const which = 'Which server:'

/** The flags of every command that talks to a running server. */
export const serverFlags = {
  url: optional({
    // Below `pet-mock exec` it is that one's server.
    variable: handedVariables.admin,
    value: 'URL',
    group: which,
    about: 'its base URL or that of its admin plane [the one that runs on this machine]',
    parse: readUrl,
  }),
  sandbox: optional({
    value: 'NAME',
    group: which,
    about: 'the sandbox that is meant, * for all of them [default]',
    parse: right,
  }),
  'admin-token': flag<string | undefined>({
    ...serveFlags['admin-token'],
    group: which,
    about: 'the token that it was started with',
  }),
  json: toggle({
    group: 'How:',
    about: 'the answer of the admin plane, as JSON in a line, for programs',
  }),
} satisfies Flags

export type ServerValues = ValuesOf<typeof serverFlags>
