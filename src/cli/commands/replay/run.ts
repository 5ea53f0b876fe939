import { basename } from 'node:path'
import { formatCount } from '../../../base/text/quantities.ts'
import { createLeftOut } from '../../../judges/recording/seen-call.ts'
import { type CallerCalls, groupByCaller } from '../../../judges/replay/callers.ts'
import { replay } from '../../../judges/replay/replay.ts'
import { reportReplay } from '../../../judges/replay/replay-report.ts'
import type { Recording } from '../../../judges/replay/wanted-call.ts'
import { failsOn } from '../../../judges/report/fail-on.ts'
import { isFailed } from '../../../judges/report/write-report.ts'
import { createKeyMask, createSecrets } from '../../../service/keys/mask.ts'
import { maskFreeText } from '../../../service/keys/mask-text.ts'
import { planTitle } from '../../../service/plans/plan.ts'
import type { Run } from '../../arguments/command.ts'
import { refuseUsage } from '../../arguments/usage-error.ts'
import { writeReports } from '../../reports/write-reports.ts'
import type { Io } from '../../terminal/io.ts'
import { jsonLine } from '../../terminal/json-line.ts'
import { createPaint } from '../../terminal/paint.ts'
import { printable } from '../../terminal/printable.ts'
import { standardInput } from '../../terminal/standard-input.ts'
import { choosePlans, loadScenario } from './choose-plans.ts'
import type { ReplayValues } from './flags.ts'
import { readCalls } from './read-calls.ts'
import { replayLines } from './replay-lines.ts'

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

  const mask = createMask(recording.value, values.mask)
  const progress = createProgressLine(io)
  const result = replay({
    callers,
    scenario: scenario.value,
    plans: plans.value,
    retries: values.retries,
    showCaller: caller => (callers.length === 1 ? undefined : mask(nameOf(caller))),
    planTitle,
    onPlan: plan =>
      progress.show(`Replaying ${formatCount(recording.value.calls.length, 'call')}: ${planTitle(plan)} …`),
    flights: values.report.length > 0 || values.json,
  })
  progress.clear()
  const report = reportReplay(result, {
    name: path === standardInput ? 'standard input' : basename(path),
    callerBy: values['caller-by'],
    retries: values.retries,
    skipped: leftOut.list(),
    notes: recording.value.notes,
    expected: values.expect,
    planTitle,
    mask,
  })
  const failOn = { level: 'error', ids: new Map() } as const
  const fails = failsOn(failOn)
  if (values.json) io.stdout.write(`${jsonLine({ failed: isFailed([report], fails), report })}\n`)
  else {
    const style = { paint: createPaint(io.stdout), columns: io.stdout.columns }
    io.stdout.write(`${replayLines(report, result, style).join('\n')}\n`)
  }
  const command = mask(`pet-mock replay ${basename(path)} --plans ${plans.value.map(({ name }) => name)}`)
  const hasVerdict = !values.json && values.expect.length + values.report.length > 0
  const to = hasVerdict ? io.stdout : undefined
  return writeReports([report], { failOn, files: values.report, to, onlyVerdict: true, command }, io)
}

function createMask({ calls }: Recording, names: readonly string[]): (text: string) => string {
  const secrets = createSecrets(names)
  const keys = new Set(calls.flatMap(({ key }) => (key ? [key] : [])))
  const maskKeys = createKeyMask([...keys].slice(0, 10_000), secrets)
  return text => maskFreeText(maskKeys(text), secrets)
}

function nameOf({ name }: CallerCalls): string {
  return name ?? 'all calls'
}

/** A line on a terminal that gives way to the report. */
function createProgressLine({ stderr }: Pick<Io, 'stderr'>) {
  const write = (text: string) => {
    if (stderr.columns !== undefined) stderr.write(`\r\x1b[K${printable(text)}`)
  }
  return { show: write, clear: () => write('') }
}
