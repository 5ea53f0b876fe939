import { envFlag } from '../../arguments/client-flags.ts'
import type { Flag, ValuesOf } from '../../arguments/flag.ts'
import { type LogFormat, wordOf } from '../../arguments/flag-values.ts'
import { findings, reportFlags } from '../../arguments/report-flags.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'

const conductModes = ['off', 'report'] as const
type ConductMode = (typeof conductModes)[number]

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
  conduct: findings.optional<ConductMode>({
    value: conductModes.join('|'),
    about:
      'what to do with findings about the calls: off judges no conduct, report prints findings that fail nothing, as --fail-on never does [findings fail as --fail-on says]',
    words: conductModes,
    parse: wordOf(conductModes),
  }),
  ...reportFlags,
}

export type ExecValues = ValuesOf<typeof execFlags>
