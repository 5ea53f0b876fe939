import { right, type ValuesOf } from '../../arguments/flag.ts'
import type { ContractChoice } from '../../arguments/flag-values.ts'
import { findings, reportFlags } from '../../arguments/report-flags.ts'
import { serveFlags, situation } from '../../arguments/serve-flags.ts'

export const proxyFlags = {
  port: { ...serveFlags.port, fallback: 7388 },
  host: serveFlags.host,
  'allowed-hosts': serveFlags['allowed-hosts'],
  'admin-token': serveFlags['admin-token'],
  journal: serveFlags.journal,
  'log-format': serveFlags['log-format'],
  mask: serveFlags.mask,
  contract: findings.flag<ContractChoice>({
    ...serveFlags.contract,
    about: 'how to report a breach of the OpenAPI file: not at all, as a warning or as an error',
    fallback: 'error',
  }),
  openapi: findings.optional({
    value: 'FILE',
    about: "check the service against this OpenAPI file [pet-mock's openapi.yaml]",
    parse: right,
  }),
  scenario: situation.optional({
    alias: 's',
    value: 'NAME|FILE',
    about: 'apply the rules of this scenario to the traffic: delays, faults and responses',
    parse: right,
  }),
  record: situation.optional({
    value: 'FILE',
    about: 'at the end, write the traffic to this file as a scenario with a walkthrough, and play it',
    parse: right,
  }),
  ...reportFlags,
}

export type ProxyValues = ValuesOf<typeof proxyFlags>
