import { right, type ValuesOf } from '../../arguments/flag.ts'
import type { ContractChoice } from '../../arguments/flag-values.ts'
import { findings, reportFlags } from '../../arguments/report-flags.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'

export const proxyFlags = {
  port: { ...serveFlags.port, fallback: 7388 },
  host: serveFlags.host,
  'allowed-hosts': serveFlags['allowed-hosts'],
  'admin-token': serveFlags['admin-token'],
  'log-format': serveFlags['log-format'],
  contract: findings.flag<ContractChoice>({
    ...serveFlags.contract,
    about: 'whether a breach of the contract is ignored, a warning or an error',
    fallback: 'error',
  }),
  openapi: findings.optional({
    value: 'FILE',
    about: "check the service against this OpenAPI file [pet-mock's openapi.yaml]",
    parse: right,
  }),
  ...reportFlags,
}

export type ProxyValues = ValuesOf<typeof proxyFlags>
