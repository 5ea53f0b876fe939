import { hostOf, isLoopback } from '../../../base/text/loopback.ts'
import { groupDigits } from '../../../base/text/quantities.ts'
import { version } from '../../../doors/server/version.ts'
import type { Profile } from '../../../emulator/worlds/scenario.ts'
import {
  type CheckOutcome,
  checkService,
  reportOf,
  severityOf,
} from '../../../judges/conformance/check-service.ts'
import { type CheckId, checkIds, checks } from '../../../judges/conformance/checks.ts'
import { authorizationOf, type CheckRequest, targetOf } from '../../../judges/conformance/requests.ts'
import { type CheckAnswer, callsToExhaust, usualCalls } from '../../../judges/conformance/sender.ts'
import type { Judge } from '../../../judges/contract/judge.ts'
import { show, unusualLines } from '../../../judges/profile/drift.ts'
import { exchangeOf } from '../../../judges/profile/learn-service.ts'
import { createLearner, type Learner } from '../../../judges/profile/learner.ts'
import { failsOn } from '../../../judges/report/finding.ts'
import { isFailed } from '../../../judges/report/write-report.ts'
import type { WalkthroughCall } from '../../../judges/walkthrough/target.ts'
import { createSecrets } from '../../../service/keys/mask.ts'
import { type Run, refuseUsage } from '../../arguments/command.ts'
import { readUrl } from '../../arguments/flag-values.ts'
import { unknownIds } from '../../arguments/report-flags.ts'
import { handedVariables } from '../../arguments/server-flags.ts'
import { maskTexts } from '../../log/reporter.ts'
import { createHttpClient, type HttpClient } from '../../remote/find-server.ts'
import { writeReports } from '../../reports/write-reports.ts'
import { typedPath } from '../../start/load/loading.ts'
import { exitCodes, type Io } from '../../terminal/io.ts'
import { createCallBar, waitVisibly } from '../../terminal/progress.ts'
import { cell, createPaint, jsonLine, printable, type Style, tableLines } from '../../terminal/text.ts'
import type { CheckValues } from './flags.ts'

export const run: Run<CheckValues> = async ({ values, complaints, given, sources, words, io }) => {
  const base = readServiceUrl('check', words, values, io)
  const wrong = [
    ...complaints,
    ...(typeof base === 'string' ? [base] : []),
    ...(given.has('key') ? [] : ['--key is missing: give the API key to call with']),
    ...checkBudget(values),
    ...unknownIds(values['fail-on'], checkIds, sources['fail-on']),
  ]
  // The shipped contract has no mistakes, and takes half a second to load.
  if (wrong.length > 0 && values.openapi === undefined) return refuseUsage(wrong, io)
  const { loadContract } = await import('../../../library/files/load-contract.ts')
  const contract = await loadContract(values.openapi && typedPath(values.openapi, io.env))
  const all = [...wrong, ...(contract.ok ? [] : contract.complaints)]
  const { key } = values
  if (typeof base === 'string' || !contract.ok || key === undefined || all.length > 0)
    return refuseUsage(all, io)
  const client = createHttpClient(base)
  const [typed = io.env[handedVariables.url] ?? ''] = words
  const isAdded = base.pathname === usualPath && !/\/v1\/*$/.test(typed)
  const added = isAdded ? ' (added /v1, the base path of the service)' : ''
  if (!values.json) io.stdout.write(`Checking ${printable(shownUrl(base))}${added}\n\n`)
  try {
    const learner = createLearner({ service: shownUrl(base) })
    const outcome = await checkBy(client, base, contract.value, { ...values, key }, learner, io)
    const code = await writeOutcome(outcome, base, { ...values, key }, io)
    if (!values.json) io.stdout.write(settingsText(learner.profile()))
    return code
  } catch (error) {
    if (!(error instanceof WrongBase)) return refuseUnreachable(error, base, io)
    const place = printable(shownUrl(base))
    io.stderr.write(
      `Nothing was checked: ${place} answered the first ${enoughOf404} calls with 404. Check the base URL, which usually ends in /v1.\n`,
    )
    return exitCodes.unreachable
  } finally {
    client.close()
  }
}

/** If the first calls, for lists of pets, all get 404, the API is elsewhere. */
const enoughOf404 = 3

class WrongBase extends Error {}

/** Says that nobody answers. Throws a defect of pet-mock again: an error without a code. */
export function refuseUnreachable(error: unknown, { origin }: URL, { stderr }: Pick<Io, 'stderr'>): number {
  if (!(error instanceof Error && 'code' in error)) throw error
  stderr.write(`${printable(`No service answers at ${origin}: ${error.message || error.code}`)}\n`)
  return exitCodes.unreachable
}

type Values = CheckValues & { readonly key: string }

function checkBudget({ exhaust, plan, 'max-calls': maxCalls }: CheckValues): readonly string[] {
  const needed = callsToExhaust(plan)
  if (!exhaust || maxCalls === undefined || maxCalls > needed) return []
  return [`--max-calls ${maxCalls} is too few: --exhaust alone may take ${needed} calls on the plan ${plan}`]
}

async function checkBy(
  client: HttpClient,
  base: URL,
  judge: Judge,
  values: Values,
  learner: Learner,
  io: Io,
): Promise<CheckOutcome> {
  const { plan, exhaust, seed, key } = values
  const basePath = basePathOf(base)
  const maxCalls = values['max-calls'] ?? usualCalls(plan, exhaust)
  const bar = createCallBar(io.stderr, maxCalls)
  const mask = maskTexts([key], createSecrets(values.mask))
  let isReached = false
  let only404 = 0
  const send = async (request: CheckRequest, withinMs: number): Promise<CheckAnswer> => {
    const sentAt = Date.now()
    try {
      const answer = await client.send(callOf(request, basePath, key), withinMs)
      isReached = true
      only404 = 'fails' in answer || answer.status !== 404 ? Number.NaN : only404 + 1
      if (only404 === enoughOf404) throw new WrongBase()
      if (!('fails' in answer))
        learner.add(exchangeOf(request, answer, key, { id: 1, sentAt, answeredAt: Date.now() }))
      return answer
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      // Only before its first answer is a service that nobody reaches a wrong address.
      isReached ||= `${error.code}`.startsWith('HPE_')
      if (!isReached) throw error
      return { fails: error.message || `${error.code}` }
    }
  }
  try {
    return await checkService({
      judge,
      plan,
      basePath,
      maxCalls,
      maxTimeMs: values['max-time'] ?? (exhaust ? 10 : 5) * 60_000,
      allowsWrites: values['allow-writes'] || isLoopback(hostOf(base)),
      exhausts: exhaust,
      seed,
      now: Date.now,
      wait: (ms, why) => waitVisibly(ms, io, mask(why)),
      onCall: bar.onCall,
      send,
    })
  } finally {
    bar.clear()
  }
}

/** The call of a request, with the headers of pet-mock's own client. */
export function callOf(request: CheckRequest, basePath: string, key: string): WalkthroughCall {
  const { method, body } = request
  const authorization = authorizationOf(request, key)
  const headers = {
    'User-Agent': `pet-mock-check/${version}`,
    Accept: 'application/json',
    'Accept-Encoding': 'identity',
    ...(authorization !== undefined && { Authorization: authorization }),
    ...request.headers,
  }
  const target = targetOf(request, basePath)
  return { method, target, headers: Object.entries(headers).flat(), body }
}

function shownUrl({ href }: URL): string {
  return href.replace(/\/$/, '').replace(/\/\/[^/@]*@/, '//')
}

async function writeOutcome(outcome: CheckOutcome, base: URL, values: Values, io: Io): Promise<number> {
  const { plan, seed, strict, key, json, report: files, 'fail-on': failOn } = values
  const shown = shownUrl(base)
  const mask = maskTexts([key], createSecrets(values.mask))
  const notChecked = outcome.notChecked.map(one => ({ ...one, reason: mask(one.reason) }))
  const report = reportOf(outcome, { base: shown, plan, seed, isStrict: strict, mask })
  if (json) {
    const { seen, unseen, calls } = outcome
    const leftOut = outcome.leftOut.map(mask)
    const failed = isFailed([report], failsOn(failOn))
    io.stdout.write(`${jsonLine({ failed, calls, seed, seen, unseen, leftOut, notChecked, report })}\n`)
  } else {
    const lines = checkLines({ ...outcome, notChecked }, values, io)
    if (lines.length > 0) io.stdout.write(`${lines.join('\n')}\n\n`)
  }
  const to = json ? undefined : io.stdout
  return writeReports([report], { failOn, files, to, command: mask(`pet-mock check ${shown}`) }, io)
}

/**
 * Formats a line for each check that failed or is not judged, with `--verbose` also for each that passed: how often,
 * and its source or why it is not judged. The report lists the others by reason.
 */
function checkLines(outcome: CheckOutcome, { strict, verbose }: Values, { stdout }: Io): readonly string[] {
  const { failed, checked, notChecked } = outcome
  const isFailed = new Set(failed.map(({ check }) => check))
  const open = new Set(notChecked.flatMap(({ id, isUnjudged }) => (isUnjudged ? [id] : [])))
  const reasons = new Map(notChecked.map(({ id, reason }) => [id, reason]))
  const signOf = (id: CheckId): readonly [string, Style] => {
    if (isFailed.has(id)) return severityOf(id, outcome, strict) === 'info' ? ['i', 'cyan'] : ['✕', 'red']
    return reasons.has(id) ? ['–', 'dim'] : ['✓', 'green']
  }
  const rows = checkIds
    .filter(id => isFailed.has(id) || reasons.has(id) || verbose)
    .filter(id => checked.has(id) || open.has(id))
    .map(id => {
      const [sign, style] = signOf(id)
      const made = groupDigits(checked.get(id) ?? 0)
      const faults = failed.reduce((sum, { check, count }) => sum + (check === id ? count : 0), 0)
      const passed = checked.has(id) ? `${made} passed` : ''
      return [
        cell(sign, { style }),
        cell(id, { style: 'bold' }),
        cell(faults > 0 ? `${groupDigits(faults)} of ${made} failed` : passed, {
          atRight: true,
          style: 'dim',
        }),
        cell(checks[id].says),
        cell(reasons.get(id) ?? checks[id].source, { style: 'dim' }),
      ]
    })
  return tableLines(rows, createPaint(stdout), undefined, stdout.columns)
}

/** The settings with which pet-mock would answer like the service, and the command that writes them. */
function settingsText({ service, learned }: Profile): string {
  const own = unusualLines(learned).map(([path, line]) => `  ${path}: ${show(line)}`)
  if (own.length === 0) return ''
  const again = `To let pet-mock answer like it: pet-mock learn ${service} --key "$KEY"`
  const lines = ['This service differs from what pet-mock assumes:', ...own, again]
  return `\n${lines.map(printable).join('\n')}\n`
}

/** The base path that the specification requires. Another contract may have another one. */
const usualPath = '/v1'

/** The base URL from the command line or the environment, or a complaint. */
export function readServiceUrl(
  command: string,
  words: readonly string[],
  { openapi }: { readonly openapi: string | undefined },
  { env }: Pick<Io, 'env'>,
): URL | string {
  const [text = env[handedVariables.url]] = words
  if (text === undefined) return `Expected: pet-mock ${command} URL, such as http://127.0.0.1:7387/v1`
  const reading = readUrl(text)
  if (!reading.ok) return `URL: ${reading.problems.join('; ')}`
  const url = reading.value
  url.pathname = url.pathname.replace(/\/+$/, '')
  if (url.pathname === '/' && openapi === undefined) url.pathname = usualPath
  return url
}

export function basePathOf({ pathname }: URL): string {
  return pathname === '/' ? '' : pathname
}

/** The name of a service in profiles and recordings. */
export function serviceOf(url: URL): string {
  return `${url.origin}${basePathOf(url)}`
}
