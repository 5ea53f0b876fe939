import { formatInstant } from '../../../base/time/instant.ts'
import {
  compareProfiles,
  confirm,
  driftIds,
  driftReport,
  exchangesThatShow,
} from '../../../judges/profile/drift.ts'
import type { LearnRun } from '../../../judges/profile/learn-service.ts'
import { learnFrom } from '../../../judges/profile/learner.ts'
import { failsOn } from '../../../judges/report/finding.ts'
import { isFailed } from '../../../judges/report/write-report.ts'
import { createSecrets } from '../../../service/keys/mask.ts'
import { maskFreeText } from '../../../service/keys/mask-text.ts'
import { type Run, refuseUsage } from '../../arguments/command.ts'
import { unknownIds } from '../../arguments/report-flags.ts'
import { writeReports } from '../../reports/write-reports.ts'
import { typedPath } from '../../start/load/loading.ts'
import { readOwnProfile, saveProfile } from '../../start/state/save-profile.ts'
import { exitCodes } from '../../terminal/io.ts'
import { jsonLine, printable } from '../../terminal/text.ts'
import { readServiceUrl, refuseUnreachable, serviceOf } from '../check/run.ts'
import { usualProfile } from '../learn/flags.ts'
import { askService, printPlan } from '../learn/run.ts'
import type { DriftValues } from './flags.ts'

export const run: Run<DriftValues> = async ({ values, complaints, given, sources, words, io }) => {
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
  if (!exchanges.some(({ reply }) => reply.status < 300)) {
    io.stderr.write(`Nothing was compared. ${printable(stops[0] ?? '')}\n`)
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
