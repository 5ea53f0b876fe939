import { formatInstant } from '../../../base/time/instant.ts'
import type { Exchange } from '../../../emulator/journal/exchange.ts'
import type { Profile } from '../../../emulator/worlds/scenario.ts'
import type { CheckRequest } from '../../../judges/conformance/requests.ts'
import { createLeftOut, leftOutLines } from '../../../judges/exchanges/left-out.ts'
import { readRecording } from '../../../judges/exchanges/read-recording.ts'
import {
  compareProfiles,
  confirm,
  driftIds,
  driftReport,
  exchangesThatShow,
  show,
} from '../../../judges/profile/drift.ts'
import { exchangeOf, type LearnRun, learnService } from '../../../judges/profile/learn-service.ts'
import { learnFrom } from '../../../judges/profile/learner.ts'
import { bounds, costLines } from '../../../judges/profile/plan.ts'
import { failsOn } from '../../../judges/report/finding.ts'
import { isFailed } from '../../../judges/report/write-report.ts'
import { explainFileError, maxSnapshotBytes, readBytes } from '../../../library/files/read-file.ts'
import { createSecrets } from '../../../service/keys/mask.ts'
import { maskFreeText } from '../../../service/keys/mask-text.ts'
import { type Run, refuseUsage } from '../../arguments/command.ts'
import type { ValuesOf } from '../../arguments/flag.ts'
import { unknownIds } from '../../arguments/report-flags.ts'
import { createHttpClient } from '../../remote/find-server.ts'
import { writeReports } from '../../reports/write-reports.ts'
import { failed, type Loading, typedPath } from '../../start/load/loading.ts'
import { checkWritable, readOwnProfile, saveProfile } from '../../start/state/save-profile.ts'
import { exitCodes, type Io } from '../../terminal/io.ts'
import { createCallBar, waitVisibly } from '../../terminal/progress.ts'
import { cell, createPaint, jsonLine, printable, tableLines } from '../../terminal/text.ts'
import { basePathOf, callOf, readServiceUrl, refuseUnreachable, serviceOf } from '../check/run.ts'
import { type DriftValues, type LearnValues, spendingFlags, usualProfile } from './flags.ts'

export const run: Run<LearnValues> = async ({ values, complaints, given, typed, words, io }) => {
  const path = typedPath(values.profile ?? usualProfile, io.env)
  const isFromFiles = words.length > 0 && !/^https?:/i.test(words[0] ?? '')
  const base = isFromFiles ? undefined : readServiceUrl('learn', words, { openapi: undefined }, io)
  const { key } = values
  const wrong = [
    ...complaints,
    ...(typeof base === 'string' ? [base] : []),
    ...(isFromFiles || given.has('key') ? [] : ['--key is missing: give the API key to call with']),
    ...(isFromFiles ? spendingNames : [])
      .filter(name => typed.has(name) && values[name])
      .map(name => `--${name} is for calls to a service, and recordings are only read`),
  ]
  if (isFromFiles) {
    const read = await readRecordings(words, values, io)
    const all = [...wrong, ...(read.ok ? [] : read.complaints)]
    return read.ok && all.length === 0
      ? save(path, read.value.service, read.value.exchanges, undefined, values, io)
      : refuseUsage(all, io)
  }
  if (base === undefined || typeof base === 'string' || key === undefined || wrong.length > 0)
    return refuseUsage(wrong, io)
  const service = serviceOf(base)
  const known = await readOwnProfile(path, service)
  if (!known.ok) return refuseUsage(known.complaints, io)
  printPlan(values, service, io)
  if (values['dry-run']) return exitCodes.fine
  const unwritable = await checkWritable(path)
  if (unwritable.length > 0) return refuseUsage(unwritable, io)
  let learned: LearnRun
  try {
    learned = await askService(base, { ...values, key }, io)
  } catch (error) {
    return refuseUnreachable(error, base, io)
  }
  const { exchanges, notes, stopped } = learned
  for (const note of notes) io.stderr.write(`${printable(note)}\n`)
  if (isAnswered(exchanges)) return save(path, service, exchanges, stopped, values, io)
  io.stderr.write(`Nothing was learned, and no file was written. ${printable(stopped ?? '')}\n${checkBoth}\n`)
  return exitCodes.unreachable
}

const checkBoth = 'Check the base URL, which usually ends in /v1, and --key.'

/** Whether one call succeeded. Refusals alone show little: the address or the key may be wrong. */
function isAnswered(exchanges: readonly Exchange[]): boolean {
  return exchanges.some(({ reply }) => reply.status < 300)
}

/** Adds what exchanges show to the profile, and prints it. `stopped`: why the run ended early. */
async function save(
  path: string,
  service: string,
  exchanges: readonly Exchange[],
  stopped: string | undefined,
  { json }: LearnValues,
  io: Io,
): Promise<number> {
  const saved = await saveProfile(path, learnFrom(service, exchanges), io.pid)
  if (!saved.ok) return refuseUsage(saved.complaints, io)
  const { before, after } = saved.value
  if (json) io.stdout.write(`${jsonLine({ file: path, stopped: stopped ?? null, ...after })}\n`)
  else {
    io.stdout.write(`${resultLines(before, after, io).join('\n')}\n\n`)
    io.stdout.write(`Wrote ${printable(path)}. Serve it: pet-mock --profile ${printable(path)}\n`)
  }
  if (stopped === undefined) return exitCodes.fine
  io.stderr.write(`The run stopped early. ${printable(stopped)}\n`)
  return exitCodes.unreachable
}

/** A line for each setting: its value, how it is known, and what it was before. */
function resultLines(before: Profile | undefined, { learned, unknown }: Profile, io: Io): readonly string[] {
  const paint = createPaint(io.stdout)
  const rows = Object.entries(learned).map(([path, line]) => {
    const old = before?.learned[path]
    const isNew = old === undefined ? ' (new)' : show(old) === show(line) ? '' : ` (was ${show(old)})`
    return [
      cell(path, { style: 'bold' }),
      cell(`${show(line)}${isNew}`),
      cell(`${line.state} on ${line.last}`, { style: line.state === 'contradicted' ? 'yellow' : 'dim' }),
    ]
  })
  const table = tableLines(rows, paint, undefined, io.stdout.columns)
  return unknown.length === 0 ? table : [...table, paint('dim', `Unknown: ${unknown.join(', ')}`)]
}

async function readRecordings(
  names: readonly string[],
  { url }: { readonly url: URL | undefined },
  io: Io,
): Promise<Loading<{ readonly service: string; readonly exchanges: readonly Exchange[] }>> {
  const leftOut = createLeftOut()
  const exchanges: Exchange[] = []
  const complaints: string[] = []
  let service = url === undefined ? undefined : serviceOf(url)
  for (const name of names) {
    try {
      const bytes = await readBytes(typedPath(name, io.env), maxSnapshotBytes)
      const recording = readRecording(bytes, { base: service, leftOut, keep: exchange => exchange })
      if (recording === undefined)
        complaints.push(
          `${name} is no recording: expected an HTTP archive, a log of --log-format json or the JSON of GET /__admin/requests`,
        )
      else {
        service ??= recording.base
        exchanges.push(...recording.calls)
      }
    } catch (error) {
      complaints.push(`${name} cannot be read (${explainFileError(error)})`)
    }
  }
  for (const line of leftOutLines(leftOut.list())) io.stderr.write(`Left out: ${line.slice(2)}\n`)
  if (complaints.length > 0) return failed(...complaints)
  if (service === undefined)
    return failed('--url is missing: a journal and a log do not name the service that they are of')
  if (exchanges.length === 0) return failed(`no call of ${service} is in ${names.join(', ')}`)
  return { ok: true, value: { service, exchanges } }
}

const spendingNames = Object.keys(spendingFlags) as (keyof typeof spendingFlags)[]
type Spending = ValuesOf<typeof spendingFlags>

function allowedBy({ 'allow-writes': writes, exhaust: exhausts, 'own-key-may-be-banned': bans }: Spending) {
  return { writes, exhausts, bans }
}

/** Prints what the calls cost before the first one. */
function printPlan(values: Spending, service: string, io: Io): void {
  const cost = costLines(allowedBy(values)).map(line => `  ${line}\n`)
  io.stderr.write(`Learning from ${printable(service)}\n${cost.join('')}\n`)
}

const withinMs = 30_000

/** Makes the planned calls. Rejects with Node's system error if nobody reaches the service. */
async function askService(
  base: URL,
  values: Spending & { readonly key: string },
  io: Io,
  leastLeft?: number,
): Promise<LearnRun> {
  const client = createHttpClient(base)
  const basePath = basePathOf(base)
  const bar = createCallBar(io.stderr, bounds.reading)
  let calls = 0
  let isReached = false
  const send = async (request: CheckRequest): Promise<Exchange | undefined> => {
    calls += 1
    bar.onCall(calls)
    const sentAt = Date.now()
    try {
      const answer = await client.send(callOf(request, basePath, values.key), withinMs)
      isReached = true
      if ('fails' in answer) return undefined
      return exchangeOf(request, answer, values.key, { id: calls, sentAt, answeredAt: Date.now() })
    } catch (error) {
      // Only before its first response is a service that nobody reaches a wrong address.
      if (!isReached || !(error instanceof Error && 'code' in error)) throw error
      return undefined
    }
  }
  const wait = (ms: number, why: string) => waitVisibly(ms, io, why)
  try {
    return await learnService({ ...allowedBy(values), send, now: Date.now, wait, leastLeft })
  } finally {
    bar.clear()
    client.close()
  }
}

export const runDrift: Run<DriftValues> = async ({
  values,
  complaints,
  given,
  typed,
  sources,
  words,
  io,
}) => {
  const path = typedPath(values.profile ?? usualProfile, io.env)
  const base = readServiceUrl('drift', words, { openapi: undefined }, io)
  const service = typeof base === 'string' ? '' : serviceOf(base)
  const known = typeof base === 'string' ? undefined : await readOwnProfile(path, service)
  const { key } = values
  const wrong = [
    ...complaints,
    ...(typeof base === 'string' ? [base] : []),
    ...(given.has('key') ? [] : ['--key is missing: give the API key to call with']),
    ...(known?.ok === false ? known.complaints : []),
    ...(known?.ok && known.value === undefined
      ? [`there is no profile ${path}: pet-mock learn ${service} writes it`]
      : []),
    ...unknownIds(values['fail-on'], driftIds, sources['fail-on']),
    ...(values['dry-run'] && typed.has('report') ? ['--report: --dry-run compares nothing to report'] : []),
  ]
  const before = known?.ok ? known.value : undefined
  if (typeof base === 'string' || key === undefined || before === undefined || wrong.length > 0)
    return refuseUsage(wrong, io)
  printPlan(values, service, io)
  if (values['dry-run']) return exitCodes.fine
  const ask = (leastLeft?: number) => askService(base, { ...values, key }, io, leastLeft)
  const compare = ({ exchanges }: LearnRun) => {
    const oldest = formatInstant(Date.now() - values['max-age']).slice(0, 10)
    return compareProfiles(before, learnFrom(service, exchanges), oldest)
  }
  let runs: readonly LearnRun[]
  try {
    const first = await ask()
    const isChanged = compare(first).some(({ drift }) => drift === 'changed')
    runs = isChanged ? [first, await ask(first.leastLeft)] : [first]
  } catch (error) {
    return refuseUnreachable(error, base, io)
  }
  const exchanges = runs.flatMap(one => one.exchanges)
  const stops = runs.flatMap(({ stopped }) => (stopped === undefined ? [] : [stopped]))
  if (!isAnswered(exchanges)) {
    io.stderr.write(`Nothing was compared. ${printable(stops[0] ?? '')}\n${checkBoth}\n`)
    return exitCodes.unreachable
  }
  const [first, second] = runs.map(compare)
  const lines = second === undefined ? (first ?? []) : confirm(first ?? [], second)
  if (values.update) {
    const saved = await saveProfile(path, learnFrom(service, exchanges), io.pid)
    if (!saved.ok) return refuseUsage(saved.complaints, io)
  }
  const report = driftReport(lines, {
    service,
    calls: exchanges.length,
    notes: [...new Set([...runs.flatMap(({ notes }) => notes), ...stops])],
    evidence: line => exchangesThatShow(line, service, runs.at(-1)?.exchanges ?? []),
  })
  const { json, report: files, 'fail-on': failOn } = values
  if (json) io.stdout.write(`${jsonLine({ failed: isFailed([report], failsOn(failOn)), report })}\n`)
  const to = json ? undefined : io.stdout
  const command = maskFreeText(`pet-mock drift ${service}`, createSecrets([]))
  const paths = files.map(file => typedPath(file, io.env))
  return writeReports([report], { failOn, files: paths, to, command }, io)
}
