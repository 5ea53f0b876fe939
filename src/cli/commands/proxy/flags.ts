import { type Flag, flag, optional, right, type ValuesOf } from '../../arguments/flag.ts'
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
  port: flag<number>({ ...port, fallback: 7388 }),
  host,
  'allowed-hosts': allowedHosts,
  'admin-token': adminToken,
  'log-format': logFormat,
  contract: flag<ContractChoice>({
    ...(serveFlags.contract as Flag<ContractChoice>),
    group: reportFlags.report.group,
    about: 'what a breach of the contract is: nothing that is looked at, a warning, or an error',
    fallback: 'error',
  }),
  openapi: optional({
    value: 'FILE',
    group: reportFlags.report.group,
    about: 'the contract to hold the service against, an OpenAPI description [the one of pet-mock]',
    parse: right,
  }),
  ...reportFlags,
}

export type ProxyValues = ValuesOf<typeof proxyFlags>
