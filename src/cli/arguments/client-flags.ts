import { wholeNumbers } from '../../base/text/constraint.ts'
import { envFlag } from './env-flag.ts'
import { flagGroup, one } from './flag.ts'
import { numberOf, readDurationFlag } from './flag-values.ts'
import { serveFlags } from './serve-flags.ts'

export const runs = flagGroup('Runs:')

const timeouts = wholeNumbers('a duration from 1ms to 24h', 1, 86_400_000)

/** The flags of commands that run a client many times. */
export const clientFlags = {
  timeout: runs.flag<number>({
    value: 'DURATION',
    about: 'how long one run may take, in real time; then it counts as hung',
    fallback: 60_000,
    defaultText: '60s',
    read: one(text => {
      const ms = readDurationFlag(text)
      return !ms.ok || timeouts.accepts(ms.value)
        ? ms
        : { ok: false, problems: [`expected ${timeouts.expected}, found ${text}`] }
    }),
  }),
  env: envFlag,
  key: serveFlags.key,
  pets: serveFlags.pets,
  fixtures: serveFlags.fixtures,
  openapi: serveFlags.openapi,
  cors: serveFlags.cors,
  'allowed-hosts': serveFlags['allowed-hosts'],
  'no-marks': serveFlags['no-marks'],
  mask: serveFlags.mask,
  'no-config': serveFlags['no-config'],
}

export const counts = numberOf(wholeNumbers('a whole number from 1 to 1000', 1, 1_000))
