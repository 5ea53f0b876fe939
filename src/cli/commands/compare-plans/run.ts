import { basename } from 'node:path'
import { suggest } from '../../../base/text/did-you-mean.ts'
import { formatCount, groupDigits } from '../../../base/text/quantities.ts'
import { decodeText, NotText } from '../../../control/files/document.ts'
import { showValue } from '../../../control/files/show.ts'
import type { Scenario } from '../../../emulator/worlds/scenario.ts'
import { createLeftOut, type LeftOutList, leftOutLines } from '../../../judges/exchanges/left-out.ts'
import type { Recording } from '../../../judges/exchanges/read-recording.ts'
import { type AdviceLine, lengthOf } from '../../../judges/replay/advise.ts'
import { type ReplayResult, replay } from '../../../judges/replay/replay.ts'
import { type PlanChoice, replayScenario } from '../../../judges/replay/replay-plan.ts'
import { linesOf, type ReplayReport, reportReplay } from '../../../judges/replay/replay-report.ts'
import { groupByCaller, readWantedCalls, type WantedCall } from '../../../judges/replay/wanted-calls.ts'
import { defaultFailOn, failsOn } from '../../../judges/report/finding.ts'
import { isFailed } from '../../../judges/report/write-report.ts'
import { explainFileError, readBytes } from '../../../library/files/read-file.ts'
import { createSecrets } from '../../../service/keys/mask.ts'
import { planTitle } from '../../../service/plans/plan.ts'
import { type Invocation, type Run, refuseUsage } from '../../arguments/command.ts'
import { maskTexts } from '../../log/reporter.ts'
import { type ReportStyle, wrapped, writeReports } from '../../reports/write-reports.ts'
import { failed, type Loading } from '../../start/load/loading.ts'
import { readStandardInput, standardInput } from '../../terminal/io.ts'
import { createStatusLine } from '../../terminal/progress.ts'
import { cell, createPaint, jsonLine, printable, tableLines } from '../../terminal/text.ts'
import { loadByName } from '../../walkthroughs/load-by-name.ts'
import type { ReplayValues } from './flags.ts'

export const run: Run<ReplayValues> = async invocation => {
  const { values, complaints, words, io } = invocation
  const [path] = words
  const wrong = [...complaints]
  const scenario = await loadScenario(invocation)
  const plans = scenario.ok ? choosePlans(values, scenario.value) : scenario
  if (!plans.ok) wrong.push(...plans.complaints)
  if (!scenario.ok || !plans.ok || path === undefined || wrong.length > 0) return refuseUsage(wrong, io)
  const leftOut = createLeftOut()
  const recording = await readCalls(path, values.url, leftOut)
  if (!recording.ok) return refuseUsage(recording.complaints, io)
  const callers = groupByCaller(recording.value.calls, values['caller-by'])
  if (typeof callers === 'string') return refuseUsage([`--caller-by ${values['caller-by']}: ${callers}`], io)

  const keys = new Set(recording.value.calls.flatMap(({ key }) => (key ? [key] : [])))
  const mask = maskTexts([...keys].slice(0, 10_000), createSecrets(values.mask))
  const progress = createStatusLine(io.stderr)
  const count = formatCount(recording.value.calls.length, 'call')
  const result = replay({
    callers,
    scenario: scenario.value,
    plans: plans.value,
    retries: values.retries,
    showCaller: ({ name = 'all calls' }) => (callers.length === 1 ? undefined : mask(name)),
    onPlan: plan => progress.show(printable(`Replaying ${count}: ${planTitle(plan)} …`)),
    flights: values.report.length > 0 || values.json,
  })
  progress.clear()
  const refused = recording.value.calls.filter(({ wasRefused }) => wasRefused).length
  const report = reportReplay(result, {
    name: path === standardInput ? 'standard input' : basename(path),
    callerBy: values['caller-by'],
    retries: values.retries,
    skipped: leftOut.list(),
    notes: [
      ...recording.value.notes,
      ...(refused === 0
        ? []
        : [
            `The recording has ${formatCount(refused, 'refused call')}. A replay begins with all calls of the plan left.`,
          ]),
    ],
    expected: values.expect,
    mask,
  })
  const failOn = defaultFailOn
  if (values.json) io.stdout.write(`${jsonLine({ failed: isFailed([report], failsOn(failOn)), report })}\n`)
  else {
    const style = { paint: createPaint(io.stdout), columns: io.stdout.columns }
    io.stdout.write(`${replayLines(report, result, style).join('\n')}\n`)
  }
  const chosen = plans.value.map(({ name }) => name)
  const command = mask(`pet-mock compare-plans ${basename(path)} --plans ${chosen}`)
  const hasVerdict = !values.json && values.expect.length + values.report.length > 0
  const to = hasVerdict ? io.stdout : undefined
  return writeReports([report], { failOn, files: values.report, to, onlyVerdict: true, command }, io)
}

/** What `--scenario` says of limits and bans, with its plans and the shipped ones. */
async function loadScenario(flags: Invocation<ReplayValues>): Promise<Loading<Scenario>> {
  const { scenario: name } = flags.values
  if (name === undefined) return { ok: true, value: replayScenario('replay', {}) }
  const loaded = await loadByName([name], flags)
  return loaded.ok ? { ok: true, value: replayScenario(name, loaded.value[0]?.file ?? {}) } : loaded
}

function choosePlans(
  { plans: named, expect: expected }: ReplayValues,
  { plans }: Scenario,
): Loading<readonly PlanChoice[]> {
  const known = [...plans.keys()]
  const others = `; the plans are ${known.join(', ')}`
  const unknown = (flag: string, names: readonly string[]) =>
    names
      .filter(name => !plans.has(name))
      .map(name => `${flag}: there is no plan ${showValue(name)}${suggest(name, known) || others}`)
  const complaints = [...unknown('--plans', named), ...unknown('--expect', expected)]
  if (complaints.length > 0) return failed(...complaints)
  const chosen = named.length === 0 ? known : [...new Set([...named, ...expected])]
  const value = chosen.flatMap(name => {
    const quota = plans.get(name)
    return quota === undefined ? [] : [{ name, quota }]
  })
  return { ok: true, value }
}

/** 256 MiB. Only the bytes are held, and the calls. */
const maxBytes = 256 * 2 ** 20

/** Reads the recording of a file, or of standard input for `-`. It has at least one call. */
export async function readCalls(
  path: string,
  url: URL | undefined,
  leftOut: LeftOutList,
): Promise<Loading<Recording<WantedCall>>> {
  const isInput = path === standardInput
  const reading = isInput ? readStandardInput(maxBytes) : readBytes(path, maxBytes)
  const bytes = await reading.catch(explainFileError)
  if (typeof bytes === 'string') return failed(`${path} cannot be read (${bytes})`)
  if (bytes.length > maxBytes) return failed(`standard input is longer than ${maxBytes / 2 ** 20} MiB`)
  const base = url && `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  const recording = readWantedCalls(bytes, base, leftOut)
  const other = `${path} is neither an HTTP archive (HAR) nor a log of --log-format json nor a journal`
  if (recording === undefined) return failed(notText(bytes, path) ?? other)
  if (recording.calls.length > 0) return { ok: true, value: recording }
  const where = base === undefined ? 'under /v1; --url names another base URL' : `below ${base}`
  return failed(`${path} has no calls of the API ${where}`, ...leftOutLines(leftOut.list()))
}

/** PowerShell writes logs in UTF-16. */
function notText(bytes: Uint8Array, path: string): string | undefined {
  try {
    decodeText(bytes.subarray(0, 2))
    return undefined
  } catch (error) {
    if (error instanceof NotText) return `${path} cannot be read (${error.message})`
    throw error
  }
}

/** The report of a replay for a terminal: a line for each plan, then what would make a smaller one do. */
function replayLines(report: ReplayReport, result: ReplayResult, style: ReportStyle) {
  const { paint } = style
  const [calls, time, demand] = report.facts
  const smallest = report.smallest === null ? 'none of these' : planTitle(report.smallest)
  return [
    paint('bold', `Replay of ${printable(report.file)}`),
    ...[calls, time, demand].flatMap(fact =>
      fact === undefined ? [] : wrapped(`${fact.name}: ${fact.value}`, style, ''),
    ),
    ...report.notes.flatMap(note => wrapped(note, style, '').map(line => paint('yellow', line))),
    '',
    ...planTable(report, style),
    '',
    paint('bold', `Smallest plan that serves every call: ${printable(smallest)}`),
    ...result.plans.flatMap(plan => {
      const lines = linesOf(plan, result)
      if (lines.length === 0) return []
      const title = `What would make ${printable(planTitle(plan.plan.name))} do`
      return ['', paint('bold', title), ...lines.flatMap(line => adviceLine(line, style))]
    }),
  ]
}

function planTable({ plans, from, to }: ReplayReport, { paint }: ReportStyle): readonly string[] {
  const isOneDay = from.slice(0, 10) === to.slice(0, 10)
  const head = ['', 'Plan', 'Refused', 'First refusal', 'Blocked', 'Bans', 'In a minute', 'In a day']
  const share = (used: number, limit: number) =>
    cell(`${groupDigits(used)}/${groupDigits(limit)}`, { atRight: true })
  const rows = plans.map(view => [
    cell(view.refused === 0 ? '✓' : '✕', { style: view.refused === 0 ? 'green' : 'red' }),
    cell(planTitle(view.plan), { style: 'bold' }),
    cell(groupDigits(view.refused), { atRight: true }),
    cell(firstRefusal(view, isOneDay)),
    cell(view.refused === 0 ? '–' : lengthOf(view.blockedMs), { atRight: true }),
    cell(view.bans, { atRight: true }),
    share(view.peak.minute, view.limits.minute),
    share(view.peak.day, view.limits.day),
  ])
  const titles = head.map((text, index) =>
    cell(text, { style: 'dim', atRight: [2, 4, 5, 6, 7].includes(index) }),
  )
  return tableLines([titles, ...rows], paint)
}

/** The time alone, if all calls are of one day. */
function firstRefusal({ firstRefusal: first }: ReplayReport['plans'][number], isOneDay: boolean): string {
  if (first === null) return '–'
  return isOneDay ? first.at.slice(11, 19) : first.at.slice(5, 16).replace('T', ' ')
}

function adviceLine({ suffices, text }: AdviceLine, style: ReportStyle): readonly string[] {
  const [sign, color] = suffices ? (['✓', 'green'] as const) : (['✕', 'red'] as const)
  const [first = '', ...rest] = wrapped(text, style, '    ')
  return [`  ${style.paint(color, sign)} ${first.trimStart()}`, ...rest]
}
