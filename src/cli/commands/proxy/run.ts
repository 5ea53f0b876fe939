import { loadContract } from '../../../doors/disk/load-contract.ts'
import { createCaptures } from '../../../doors/proxy/captured-bodies.ts'
import { createForward } from '../../../doors/proxy/forward.ts'
import { mostJudged } from '../../../doors/proxy/read-proxied-call.ts'
import { createUpstream } from '../../../doors/proxy/upstream.ts'
import { adminUrl, originOf } from '../../../doors/server/base-url.ts'
import { type HttpDoor, openHttpDoor } from '../../../doors/server/http-door.ts'
import { isLoopback } from '../../../doors/server/loopback.ts'
import { version } from '../../../doors/server/version.ts'
import { createHostGuard } from '../../../emulator/gates/host-guard.ts'
import { conductIds } from '../../../judges/conduct/checks.ts'
import { contractIds } from '../../../judges/contract/contract-report.ts'
import type { Run } from '../../arguments/command.ts'
import { unknownIds } from '../../arguments/report-flags.ts'
import { refuseUsage } from '../../arguments/usage-error.ts'
import { createReporter } from '../../log/reporter.ts'
import { tellReports } from '../../reports/write-reports.ts'
import { refuseToListen } from '../../start/explain-listen-error.ts'
import { typedPath } from '../../start/load/typed-path.ts'
import { allowedHosts } from '../../start/serve-emulator.ts'
import { untilStopped } from '../../start/stop.ts'
import type { Io } from '../../terminal/io.ts'
import { readServiceUrl } from '../check/service-url.ts'
import { tellProxyReady } from './announce.ts'
import type { ProxyValues } from './flags.ts'
import { createProxyVerdicts } from './verdicts.ts'

/** Bytes of all bodies that are kept while their calls are under way. */
const mostInAll = 16 * 2 ** 20

export const run: Run<ProxyValues> = async ({ values, complaints, words, io }) => {
  const url = readServiceUrl('proxy', words, values, io)
  const openapi = values.openapi && typedPath(values.openapi, io.env)
  // A file of the user's is read now, with its complaints; what is shipped is right, and loaded with the first call.
  const contract = openapi === undefined ? undefined : await loadContract(openapi)
  const all = [
    ...complaints,
    ...(typeof url === 'string' ? [url] : checkUrl(url, values)),
    ...unknownIds(values['fail-on'], [...conductIds, ...contractIds]),
    ...(contract === undefined || contract.ok ? [] : contract.complaints),
  ]
  if (typeof url === 'string' || all.length > 0) return refuseUsage(all, io)

  const base = url.pathname === '/' ? '' : url.pathname
  const reporter = createReporter(values['log-format'], io)
  const verdicts = createProxyVerdicts({
    base,
    origin: url.origin,
    mode: values.contract,
    loadContract: async () => contract ?? loadContract(undefined),
    reporter,
  })
  const upstream = createUpstream(url)
  const hosts = allowedHosts(values)
  let door: HttpDoor
  try {
    door = await openHttpDoor({
      forward: createForward({
        upstream,
        capture: createCaptures({ most: mostJudged, mostInAll }),
        checkHost: createHostGuard(hosts),
        onPassage: verdicts.add,
        onGivenUp: verdicts.addGivenUp,
        onRefusal: reporter.refusal,
      }),
      host: values.host,
      port: values.port,
      // However long a body takes, it is for the service to say when that is too long.
      timeouts: { headersMs: 10_000, requestMs: 0 },
      admin: async address => {
        const { createProxyPlane } = await import('../../../doors/proxy/proxy-plane.ts')
        const isExposed = !isLoopback(address)
        const token = values['admin-token']
        return createProxyPlane({
          ...verdicts,
          origin: url.origin,
          version,
          allowedHosts: hosts,
          token,
          isExposed,
        })
      },
      onError: reporter.failure,
      onRefusal: reporter.refusal,
    })
  } catch (error) {
    upstream.close()
    return refuseToListen(error, values, io)
  }
  const { stopped } = untilStopped(io, async graceMs => {
    await door.close(graceMs)
    upstream.close()
  })
  tellProxyReady(
    {
      url: `${originOf(door.host, door.port)}${base}`,
      admin: adminUrl(door.host, door.port),
      upstream: `${url.origin}${base}`,
      isAdminClosed: values['admin-token'] === undefined && !isLoopback(door.address),
      isOpen: !isLoopback(door.host),
      anyPort: values.port === 0,
    },
    values['log-format'],
    io,
  )
  await stopped
  const reports = await verdicts.end()
  await reporter.end()
  return tellVerdicts(reports, values, io)
}

function tellVerdicts(
  reports: Parameters<typeof tellReports>[0],
  { 'fail-on': failOn, report }: ProxyValues,
  io: Io,
): Promise<number> {
  const files = report.map(file => typedPath(file, io.env))
  return tellReports(reports, { failOn, files, to: io.stderr }, io)
}

function checkUrl(url: URL, { host, port }: ProxyValues): readonly string[] {
  const { username, password, search, hash } = url
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    return ['URL: expected scheme, host, port and path, without user, query and fragment']
  const upstreamPort = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const isHere = isLoopback(url.hostname.replace(/^\[(.*)\]$/, '$1')) && isLoopback(host)
  return isHere && port === upstreamPort && port !== 0
    ? [
        `URL: on port ${port} the proxy itself is to listen, and calls would go round in a circle; --port chooses another`,
      ]
    : []
}
