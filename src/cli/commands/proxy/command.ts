import type { Command } from '../../arguments/command.ts'
import { type Flag, flag, one, right, type ValuesOf } from '../../arguments/flag.ts'
import type { ContractChoice } from '../../arguments/flag-values.ts'
import { reportFlags } from '../../arguments/report-flags.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'

const {
  port,
  host,
  'allowed-hosts': allowedHosts,
  'admin-token': adminToken,
  'log-format': logFormat,
} = serveFlags

export const proxyFlags = {
  port: flag<number>({ ...port, about: 'where it listens; 0 is any free port [7388]', fallback: 7388 }),
  host,
  'allowed-hosts': allowedHosts,
  'admin-token': adminToken,
  'log-format': logFormat,
  contract: flag<ContractChoice>({
    ...(serveFlags.contract as Flag<ContractChoice>),
    group: reportFlags.report.group,
    about: 'what a breach of the contract is: nothing that is looked at, a warning, or an error [error]',
    fallback: 'error',
  }),
  openapi: flag<string | undefined>({
    value: 'FILE',
    group: reportFlags.report.group,
    about: 'the contract to hold the service against, an OpenAPI description [the one of pet-mock]',
    fallback: undefined,
    read: one(right),
  }),
  ...reportFlags,
}

export type ProxyValues = ValuesOf<typeof proxyFlags>

export const proxy: Command = {
  name: 'proxy',
  words: 'URL',
  about: 'Passes calls on to a real service, and says how both sides kept the rules.',
  flags: proxyFlags,
  examples: [
    ['$0 proxy https://staging.example/v1', 'the client is pointed at http://127.0.0.1:7388/v1'],
    ['$0 proxy http://127.0.0.1:7387/v1 --report flight.html', 'with a picture of the flight'],
  ],
  notes: [
    'Calls and answers pass as they are, in pieces, as they come. Ctrl+C ends it: then the verdicts on conduct and contract are told, and reports are written.',
    'Keys are masked in all that it tells, and kept nowhere.',
    'Exit codes: 0 fine, 1 with findings that --fail-on names, 2 wrong usage or a bad file, 3 cannot listen.',
  ],
  run: async (...args) => (await import('./run.ts')).run(...args),
}
