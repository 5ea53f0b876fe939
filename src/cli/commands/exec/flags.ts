import { envFlag } from '../../arguments/client-flags.ts'
import type { Flag, ValuesOf } from '../../arguments/flag.ts'
import type { LogFormat } from '../../arguments/flag-values.ts'
import { reportFlags } from '../../arguments/report-flags.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'

/** The flags of serve, with any port and no log as defaults. */
export const execFlags = {
  ...serveFlags,
  port: { ...serveFlags.port, fallback: 0 },
  'log-format': {
    ...serveFlags['log-format'],
    about: 'the format of the log on stderr',
    fallback: 'silent',
  } satisfies Flag<LogFormat>,
  env: envFlag,
  ...reportFlags,
}

export type ExecValues = ValuesOf<typeof execFlags>
