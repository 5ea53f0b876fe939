import { type Flag, one, type ValuesOf } from '../../arguments/flag.ts'
import { type LogFormat, wordOf } from '../../arguments/flag-values.ts'
import { findings, reportFlags } from '../../arguments/report-flags.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'
import { envFlag } from '../../arguments/server-flags.ts'

const whens = ['failure', 'always'] as const
const requirements = ['observed', 'inferred'] as const

/** The flags of serve, with any port and no log as defaults. */
export const execFlags = {
  ...serveFlags,
  port: { ...serveFlags.port, fallback: 0 },
  box: {
    ...serveFlags.box,
    about: 'record the run, and write it to this file if the command or a verdict fails',
  },
  'log-format': {
    ...serveFlags['log-format'],
    about: 'the format of the log on stderr',
    fallback: 'silent',
  } satisfies Flag<LogFormat>,
  env: envFlag,
  require: findings.optional({
    value: requirements.join('|'),
    about: 'fail if a response rests on a setting that the profile does not have as observed, or as inferred',
    words: requirements,
    parse: wordOf(requirements),
  }),
  'allow-assumed': findings.texts({
    value: 'SETTING',
    needs: 'require',
    about: 'a setting that --require lets pet-mock assume, such as limits.window; repeatable',
  }),
  'box-when': findings.flag<(typeof whens)[number]>({
    value: whens.join('|'),
    needs: 'box',
    about: 'when to keep the file of --box: if the command or a verdict fails, or always',
    fallback: 'failure',
    words: whens,
    read: one(wordOf(whens)),
  }),
  ...reportFlags,
}

export type ExecValues = ValuesOf<typeof execFlags>
