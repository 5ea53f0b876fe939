import { type Flag, flag, optional, right, type ValuesOf } from '../../arguments/flag.ts'
import type { ContractChoice } from '../../arguments/flag-values.ts'
import { reportFlags } from '../../arguments/report-flags.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'

export const proxyFlags = {
  port: flag<number>({ ...serveFlags.port, fallback: 7388 }),
  host: serveFlags.host,
  'allowed-hosts': serveFlags['allowed-hosts'],
  'admin-token': serveFlags['admin-token'],
  'log-format': serveFlags['log-format'],
  contract: flag<ContractChoice>({
    ...(serveFlags.contract as Flag<ContractChoice>),
    group: reportFlags.report.group,
    about: 'whether a breach of the contract is ignored, a warning or an error',
    fallback: 'error',
  }),
  openapi: optional({
    value: 'FILE',
    group: reportFlags.report.group,
    about: "check the service against this OpenAPI file [pet-mock's openapi.yaml]",
    parse: right,
  }),
  ...reportFlags,
}

export type ProxyValues = ValuesOf<typeof proxyFlags>
