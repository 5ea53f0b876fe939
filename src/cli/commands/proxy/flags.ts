import type { AllowedOrigins } from '../../../emulator/replies/cors.ts'
import { specifiedPlans } from '../../../service/plans/plan.ts'
import { type Flag, flagGroup, type ValuesOf } from '../../arguments/flag.ts'
import { wordOf } from '../../arguments/flag-values.ts'
import { findings, reportFlags } from '../../arguments/report-flags.ts'
import { networkFlags, serveFlags, situation } from '../../arguments/serve-flags.ts'

const cors: Flag<AllowedOrigins | undefined> = {
  ...networkFlags.cors,
  about:
    'add CORS to a service that has none, for these origins and pages of this machine; * allows all, none no page, none,ORIGIN that one alone',
  fallback: undefined,
}

export const proxyFlags = {
  port: { ...serveFlags.port, fallback: 7388 },
  host: serveFlags.host,
  'allowed-hosts': serveFlags['allowed-hosts'],
  cors,
  'rewrite-links': flagGroup('Server:').toggle({
    about: "put the proxy's address in Link and Location instead of the service's",
  }),
  'admin-token': serveFlags['admin-token'],
  journal: serveFlags.journal,
  'log-format': serveFlags['log-format'],
  mask: serveFlags.mask,
  contract: findings.flag<boolean>({
    ...serveFlags.contract,
    about: 'check calls and responses against the OpenAPI file [on; --no-contract turns it off]',
    fallback: true,
  }),
  plan: findings.optional({
    value: 'PLAN',
    about: `the plan of the keys, so that X-RateLimit-Limit is judged, too: ${specifiedPlans.join(', ')}`,
    parse: wordOf(specifiedPlans),
  }),
  openapi: findings.text({
    value: 'FILE',
    about: "check the service against this OpenAPI file [pet-mock's openapi.yaml]",
  }),
  rules: situation.text({
    value: 'NAME|FILE',
    about: 'apply the rules of this scenario to the traffic: delays, faults and responses',
  }),
  record: situation.text({
    writes: true,
    value: 'FILE',
    about: 'at the end, write the traffic to this file as a scenario with a walkthrough, and play it',
  }),
  learn: situation.text({
    writes: true,
    value: 'FILE',
    about: 'learn from the traffic how the service behaves, and add that to this profile',
  }),
  ...reportFlags,
}

export type ProxyValues = ValuesOf<typeof proxyFlags>
