import { type Flags, flag, isOn, one, right, type ValuesOf } from './flag.ts'
import { readUrl } from './flag-values.ts'
import { handedVariables } from './handed-variables.ts'
import { serveFlags } from './serve-flags.ts'

const which = 'Which server:'

/** The flags of every command that talks to a running server. */
export const serverFlags = {
  url: flag<URL | undefined>({
    // Below `pet-mock exec` it is that one's server.
    variable: handedVariables.admin,
    value: 'URL',
    group: which,
    about: 'its base URL or that of its admin plane [the one that runs on this machine]',
    fallback: undefined,
    read: one(readUrl),
  }),
  sandbox: flag<string | undefined>({
    value: 'NAME',
    group: which,
    about: 'the sandbox that is meant, * for all of them [default]',
    fallback: undefined,
    read: one(right),
  }),
  'admin-token': flag<string | undefined>({
    ...serveFlags['admin-token'],
    group: which,
    about: 'the token that it was started with',
  }),
  json: flag<boolean>({
    value: '',
    group: 'How:',
    about: 'the answer of the admin plane, as JSON in a line, for programs',
    fallback: false,
    read: isOn,
  }),
} satisfies Flags

export type ServerValues = ValuesOf<typeof serverFlags>
