import { existsSync } from 'node:fs'
import { hostOf, isLoopback } from '../../../base/text/loopback.ts'
import { shippedFixtures } from '../../../control/fixtures/fixtures.ts'
import { isSame } from '../../../control/profile/merge.ts'
import { checkDoors } from '../../../control/scenario/checks/doors.ts'
import type { ScenarioFile } from '../../../control/scenario/file.ts'
import { settleChecked } from '../../../control/scenario/settle/settle.ts'
import { shippedScenarios } from '../../../control/scenario/shipped.ts'
import { type OpenProxy, openProxy } from '../../../doors/proxy/open-proxy.ts'
import { adminUrl, originOf } from '../../../doors/server/base-url.ts'
import type { HttpDoor } from '../../../doors/server/http-door.ts'
import { version } from '../../../doors/server/version.ts'
import type { Exchange } from '../../../emulator/journal/exchange.ts'
import type { Line, Profile } from '../../../emulator/worlds/scenario.ts'
import { conductIds } from '../../../judges/conduct/checks.ts'
import { proxyIds } from '../../../judges/conformance/checks.ts'
import { contractIds } from '../../../judges/contract/contract-report.ts'
import { belowBase } from '../../../judges/exchanges/texts.ts'
import { createLearner } from '../../../judges/profile/learner.ts'
import { judgeOf, loadContract } from '../../../library/files/load-contract.ts'
import { createSecrets, type Secrets } from '../../../service/keys/mask.ts'
import { maskFreeText } from '../../../service/keys/mask-text.ts'
import { type Run, refuseUsage } from '../../arguments/command.ts'
import { unknownIds } from '../../arguments/report-flags.ts'
import { createReporter } from '../../log/reporter.ts'
import { writeReports } from '../../reports/write-reports.ts'
import { findShipped, isFile, loadFile } from '../../start/load/load-scenario.ts'
import { failed, type Loading, typedPath } from '../../start/load/loading.ts'
import { refuseToListen } from '../../start/running-servers.ts'
import { allowedHosts, checkContractMode } from '../../start/serve-emulator.ts'
import { readOwnProfile, saveProfile } from '../../start/state/save-profile.ts'
import { untilStopped } from '../../start/stop.ts'
import { type BannerRow, closedAdmin, formatBanner } from '../../terminal/banner.ts'
import { exitCodes, type Io } from '../../terminal/io.ts'
import { createPaint, jsonLine } from '../../terminal/text.ts'
import { basePathOf, readServiceUrl, serviceOf } from '../check/run.ts'
import type { ProxyValues } from './flags.ts'

export const run: Run<ProxyValues> = async ({ values, sources, complaints, words, io }) => {
  const url = readServiceUrl('proxy', words, values, io)
  const openapi = values.openapi && typedPath(values.openapi, io.env)
  const contract = openapi === undefined ? undefined : await loadContract(openapi)
  const isShipped = shippedScenarios.has(values.rules ?? '')
  const scenario = values.rules && (isShipped ? values.rules : typedPath(values.rules, io.env))
  const rules = scenario === undefined ? undefined : await loadRules(scenario)
  const record = values.record && typedPath(values.record, io.env)
  const isLearning = values.learn && typeof url !== 'string'
  const learnt = isLearning ? await openProxyLearner(typedPath(values.learn, io.env), url, io) : undefined
  const all = [
    ...complaints,
    ...(learnt === undefined || learnt.ok ? [] : learnt.complaints),
    ...(record !== undefined && existsSync(record)
      ? [`--record: ${record} already exists; choose another name`]
      : []),
    ...checkContractMode(values.contract, sources.contract),
    ...(typeof url === 'string' ? [url] : checkUrl(url, values)),
    ...unknownIds(values['fail-on'], [...conductIds, ...contractIds, ...proxyIds]),
    ...(contract === undefined || contract.ok ? [] : contract.complaints),
    ...(rules === undefined || rules.ok ? [] : rules.complaints),
  ]
  if (typeof url === 'string' || all.length > 0) return refuseUsage(all, io)

  const secrets = createSecrets(values.mask)
  const recorder = record === undefined ? undefined : await openRecorder(record, url)
  const learner = learnt?.ok ? learnt.value : undefined
  const reporter = createReporter(values['log-format'], io, secrets)
  let proxy: OpenProxy
  try {
    proxy = await openProxy({
      upstream: url,
      host: values.host,
      port: values.port,
      allowedHosts: allowedHosts(values),
      token: values['admin-token'],
      loadContract: async () => judgeOf(contract ?? (await loadContract(undefined))),
      hasOwnContract: contract !== undefined,
      judgesContract: values.contract,
      plan: values.plan,
      journal: values.journal,
      secrets,
      scenario: rules?.ok ? rules.value.scenario : undefined,
      log: reporter,
      record: exchange => {
        recorder?.add(exchange)
        learner?.add(exchange)
      },
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
  const about = {
    failOn: values['fail-on'],
    files: values.report.map(file => typedPath(file, io.env)),
    to: io.stderr,
    command: maskFreeText(`pet-mock proxy ${url}`, secrets),
    ...(rules?.ok && { scenario: rules.value.scenario.name }),
  }
  const code = await writeReports(reports, about, io)
  const held = (await recorder?.finish(secrets, io)) ?? true
  return Math.max(held ? code : Math.max(code, exitCodes.findings), (await learner?.finish()) ?? 0)
}

function checkUrl(url: URL, { host, port }: ProxyValues): readonly string[] {
  const { username, password, search, hash } = url
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    return ['URL: expected scheme, host, port and path, without user, query and fragment']
  const upstreamPort = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const isHere = isLoopback(hostOf(url)) && isLoopback(host)
  return isHere && port === upstreamPort && port !== 0
    ? [`URL: the proxy itself would listen on port ${port} and call itself; choose another port with --port`]
    : []
}

/** Announces the proxy's URLs, in the form that `--log-format` asks for. */
function announceProxy(door: HttpDoor, service: URL, values: ProxyValues, { stdout, pid }: Io): void {
  const url = `${originOf(door)}${basePathOf(service)}`
  const admin = adminUrl(door)
  const upstream = serviceOf(service)
  switch (values['log-format']) {
    case 'json':
      stdout.write(`${jsonLine({ event: 'ready', url, admin, upstream, version, pid })}\n`)
      break
    case 'pretty': {
      const paint = createPaint(stdout)
      const isAdminClosed = values['admin-token'] === undefined && !isLoopback(door.address)
      const rows: readonly BannerRow[] = [
        ['API', paint('cyan', url)],
        ['Service', paint('cyan', upstream)],
        ...(values.rules === undefined ? [] : [['Rules', values.rules] as const]),
        ['Findings', isAdminClosed ? closedAdmin : paint('cyan', `${admin}/conduct`)],
        ['Stop', 'Ctrl+C, which also prints the findings'],
      ]
      const warning = isLoopback(door.host) ? undefined : 'Other machines can reach this proxy.'
      stdout.write(formatBanner('pet-mock proxy', version, rows, warning, paint))
      break
    }
    default:
      // A silent proxy on any port would otherwise be unreachable.
      if (values.port === 0) stdout.write(`${url}\n`)
  }
}

async function openRecorder(file: string, url: URL) {
  const { createProxyRecorder } = await import('../../../doors/proxy/proxy-recorder.ts')
  const { add, calls, leftOut } = createProxyRecorder(basePathOf(url))
  return {
    add,
    /** Writes the file and plays it. Resolves with whether both went well. */
    finish: async (secrets: Secrets, io: Io): Promise<boolean> => {
      if (calls.length === 0) {
        io.stderr.write('No call was recorded, so no file was written.\n')
        return true
      }
      const { finishRecording } = await import('../../walkthroughs/from-har.ts')
      const service = serviceOf(url)
      return await finishRecording(calls, { name: service, service, leftOut, secrets, output: file }, io)
    },
  }
}

/** Fields that the proxy applies, or that change nothing. Of keys it reads name and plan. */
const applied = /^(?:\$schema|title|description|extends|key|seed|rules|walkthrough)$/

/** A scenario for the proxy. `notice`: what of it has no effect, as a sentence; undefined if all has. */
export async function loadRules(name: string) {
  const source = '--scenario'
  const loading = isFile(name)
    ? await loadFile(name, source, shippedFixtures, undefined, 'proxy')
    : findShipped(name, source)
  if (!loading.ok) return loading
  const scenario = settleChecked(name, loading.value, shippedFixtures)
  const hidden = checkDoors(scenario.rules, 'proxy').map(({ message }) => `${source}: ${message}`)
  if (hidden.length > 0) return failed(...hidden)
  return { ok: true as const, value: { scenario, notice: noticeOf(name, loading.value) } }
}

function noticeOf(name: string, file: ScenarioFile): string | undefined {
  const given = Object.entries(file).filter(([, value]) => value !== undefined && value !== null)
  const ignored = given.map(([field]) => field).filter(field => isIgnored(field, file))
  const rest =
    ignored.length === 0 ? '' : ` The service decides the rest, so the proxy ignores ${ignored.join(', ')}.`
  if ((file.rules ?? []).length === 0) return `${name} has no rules, so the proxy changes nothing.${rest}`
  return rest === '' ? undefined : `The proxy applies the rules of ${name}.${rest}`
}

function isIgnored(field: string, { keys }: ScenarioFile): boolean {
  if (field !== 'keys') return !applied.test(field)
  const fields = Object.values(keys ?? {}).flatMap(key => Object.keys(key ?? {}))
  return fields.some(name => name !== 'plan')
}

/** Milliseconds of traffic between two saves. */
const every = 30_000

/** Learns from traffic for `--learn FILE`, and keeps the file up to date. Refuses the profile of another service. */
async function openProxyLearner(file: string, url: URL, io: Io) {
  const [base, service] = [basePathOf(url), serviceOf(url)]
  const known = await readOwnProfile(file, service)
  if (!known.ok) return known
  const learner = createLearner({ service })
  let saved: Profile | undefined
  let savedAt: number | undefined
  let saving = Promise.resolve(true)
  const save = async (): Promise<boolean> => {
    const now = learner.profile()
    const result = await saveProfile(file, sinceThen(now, saved), io.pid)
    if (result.ok) saved = now
    else io.stderr.write(`--learn: ${result.complaints.join('; ')}\n`)
    return result.ok
  }
  const value = {
    add: (exchange: Exchange): void => {
      const { call } = exchange
      const target = belowBase(call.target, base)
      if (target === undefined) return
      learner.add({ ...exchange, call: { ...call, target: `/v1${target}` } })
      savedAt ??= call.receivedAt
      if (call.receivedAt - savedAt < every) return
      savedAt = call.receivedAt
      saving = saving.then(save)
    },
    /** Resolves with the exit code when all is saved. */
    finish: async (): Promise<number> => {
      await saving
      return savedAt === undefined || (await save()) ? exitCodes.fine : exitCodes.notSaved
    },
  }
  return { ok: true, value } satisfies Loading<typeof value>
}

/** What was learned after an earlier save: the file already counts the rest. */
function sinceThen(now: Profile, saved: Profile | undefined): Profile {
  const lines = Object.entries(now.learned).flatMap(([path, line]): [string, Line][] => {
    const old = saved?.learned[path]
    if (old === undefined || !isSame(old.value, line.value)) return [[path, line]]
    return line.seen > old.seen ? [[path, { ...line, seen: line.seen - old.seen }]] : []
  })
  return { ...now, learned: Object.fromEntries(lines) }
}
