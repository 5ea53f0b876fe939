import { existsSync } from 'node:fs'
import { isLoopback } from '../../../base/text/loopback.ts'
import { shippedScenarios } from '../../../control/scenario/shipped.ts'
import { loadContract } from '../../../doors/disk/load-contract.ts'
import { type OpenProxy, openProxy } from '../../../doors/proxy/open-proxy.ts'
import { conductIds } from '../../../judges/conduct/checks.ts'
import { contractIds } from '../../../judges/contract/contract-report.ts'
import { unjudgedCheck } from '../../../judges/report/unjudged.ts'
import { serviceIds } from '../../../judges/service/checks.ts'
import { createSecrets } from '../../../service/keys/mask.ts'
import { maskFreeText } from '../../../service/keys/mask-text.ts'
import type { Run } from '../../arguments/command.ts'
import { unknownIds } from '../../arguments/report-flags.ts'
import { refuseUsage } from '../../arguments/usage-error.ts'
import { createReporter } from '../../log/reporter.ts'
import { writeReports } from '../../reports/write-reports.ts'
import { checkContractMode } from '../../start/check-contract-mode.ts'
import { refuseToListen } from '../../start/explain-listen-error.ts'
import { typedPath } from '../../start/load/typed-path.ts'
import { allowedHosts } from '../../start/serve-emulator.ts'
import { untilStopped } from '../../start/stop.ts'
import { exitCodes, type Io } from '../../terminal/io.ts'
import { readServiceUrl } from '../check/service-url.ts'
import { announceProxy } from './announce.ts'
import type { ProxyValues } from './flags.ts'
import { loadRules } from './load-rules.ts'
import { openRecorder } from './recorder.ts'

export const run: Run<ProxyValues> = async ({ values, sources, complaints, words, io }) => {
  const url = readServiceUrl('proxy', words, values, io)
  const openapi = values.openapi && typedPath(values.openapi, io.env)
  // Check the user's file now. The shipped contract loads with the first call.
  const contract = openapi === undefined ? undefined : await loadContract(openapi)
  const rules =
    values.scenario === undefined ? undefined : await loadRules(scenarioName(values.scenario, io.env))
  const record = values.record && typedPath(values.record, io.env)
  const all = [
    ...complaints,
    ...(record !== undefined && existsSync(record)
      ? [`--record: ${record} already exists; choose another name`]
      : []),
    ...checkContractMode(values.contract, sources.contract),
    ...(typeof url === 'string' ? [url] : checkUrl(url, values)),
    ...unknownIds(values['fail-on'], [...conductIds, ...contractIds, ...serviceIds, unjudgedCheck.id]),
    ...(contract === undefined || contract.ok ? [] : contract.complaints),
    ...(rules === undefined || rules.ok ? [] : rules.complaints),
  ]
  if (typeof url === 'string' || all.length > 0) return refuseUsage(all, io)

  const secrets = createSecrets(values.mask)
  const recorder = record === undefined ? undefined : await openRecorder(record, url)
  const reporter = createReporter(values['log-format'], io, secrets)
  let proxy: OpenProxy
  try {
    proxy = await openProxy({
      upstream: url,
      host: values.host,
      port: values.port,
      allowedHosts: allowedHosts(values),
      token: values['admin-token'],
      contract,
      contractMode: values.contract,
      journal: values.journal,
      secrets,
      scenario: rules?.ok ? rules.value.scenario : undefined,
      log: reporter,
      record: recorder?.add,
      cors: values.cors,
      rewriteLinks: values['rewrite-links'],
    })
  } catch (error) {
    return refuseToListen(error, values, io)
  }
  const { stopped } = untilStopped(io, proxy.close)
  announceProxy(proxy.door, url, values, io)
  if (rules?.ok && rules.value.notice !== undefined) reporter.notice(rules.value.notice)
  await stopped
  const reports = await proxy.reports()
  await reporter.end()
  const files = values.report.map(file => typedPath(file, io.env))
  const about = {
    command: maskFreeText(`pet-mock proxy ${url}`, secrets),
    ...(rules?.ok && { scenario: rules.value.scenario.name }),
  }
  const code = await writeReports(reports, { failOn: values['fail-on'], files, to: io.stderr, ...about }, io)
  const held = (await recorder?.finish(secrets, io)) ?? true
  return held ? code : Math.max(code, exitCodes.findings)
}

function scenarioName(name: string, env: Io['env']): string {
  return shippedScenarios.has(name) ? name : typedPath(name, env)
}

function checkUrl(url: URL, { host, port }: ProxyValues): readonly string[] {
  const { username, password, search, hash } = url
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    return ['URL: expected scheme, host, port and path, without user, query and fragment']
  const upstreamPort = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const isHere = isLoopback(url.hostname.replace(/^\[(.*)\]$/, '$1')) && isLoopback(host)
  return isHere && port === upstreamPort && port !== 0
    ? [`URL: the proxy itself would listen on port ${port} and call itself; choose another port with --port`]
    : []
}
