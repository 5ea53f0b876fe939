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
    about: 'how to treat a breach of the contract: ignore it, warn, or count it as an error',
    fallback: 'error',
  }),
  openapi: optional({
    value: 'FILE',
    group: reportFlags.report.group,
    about: 'the OpenAPI description to check the service against [the shipped one]',
    parse: right,
  }),
  ...reportFlags,
}

export type ProxyValues = ValuesOf<typeof proxyFlags>
