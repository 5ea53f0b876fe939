import { formatCount } from '../../base/text/quantities.ts'
import type { Complaint } from '../../control/files/complaint.ts'
import type { Fixtures } from '../../control/fixtures/fixtures.ts'
import { learnedBelow } from '../../control/profile/serve.ts'
import { coveredRules } from '../../control/scenario/checks/rules.ts'
import { shippedScenarios } from '../../control/scenario/shipped.ts'
import { scenarioText } from '../../control/scenario/show.ts'
import { shippedWalkthroughs } from '../../judges/walkthrough/shipped.ts'
import { readFrom, readText } from '../../library/files/read-file.ts'
import { type RunOf, refuseUsage } from '../arguments/command.ts'
import { loadFixtures, loadProfile } from '../start/load/load-from-flags.ts'
import { complaintsOf } from '../start/load/loading.ts'
import { exitCodes } from '../terminal/io.ts'
import { createPaint, jsonLine, type Paint, printable, wrap } from '../terminal/text.ts'
import type { checkFlags, listFlags, showFlags } from './flags.ts'
import { loadByName } from './load-by-name.ts'

export const list: RunOf<typeof listFlags> = async ({ values, complaints, io }) => {
  if (complaints.length > 0) return refuseUsage(complaints, io)
  const scenarios = Array.from(shippedScenarios, ([name, { title, description }]) => ({
    name,
    title: title ?? name,
    description: description ?? '',
    steps: shippedWalkthroughs.get(name)?.length ?? 0,
  }))
  if (values.json) {
    io.stdout.write(`${jsonLine({ scenarios })}\n`)
    return exitCodes.fine
  }
  const paint = createPaint(io.stdout)
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  const columns = Math.min(io.stdout.columns ?? 110, 110)
  for (const { name, title, description, steps } of scenarios) {
    const length = paint('dim', steps === 0 ? '(no walkthrough)' : `(${formatCount(steps, 'step')})`)
    io.stdout.write(`${paint('green', name.padEnd(width))}  ${paint('bold', title)} ${length}\n`)
    for (const line of wrap(description, Math.max(20, columns - width - 2)))
      io.stdout.write(`${' '.repeat(width)}  ${paint('dim', line)}\n`)
  }
  return exitCodes.fine
}

export const show: RunOf<typeof showFlags> = async invocation => {
  const { complaints, words, io } = invocation
  const loading = await loadByName(words, invocation)
  const profile = await loadProfile(invocation)
  const all = [...complaints, ...complaintsOf(loading, profile)]
  if (!loading.ok || !profile.ok || all.length > 0) return refuseUsage(all, io)
  for (const { file, fixtures } of loading.value)
    io.stdout.write(scenarioText(file, fixtures, profile.value && learnedBelow(file, profile.value)))
  return exitCodes.fine
}

export const validate: RunOf<typeof checkFlags> = async ({ values, sources, complaints, words, io }) => {
  const fixtures = await loadFixtures(values.fixtures, sources.fixtures)
  const all = [...complaints, ...(fixtures.ok ? [] : fixtures.complaints)]
  if (!fixtures.ok || all.length > 0) return refuseUsage(all, io)
  const paint = createPaint(io.stdout)
  let isFine = true
  for (const path of words) {
    const checked = await checkFile(path, fixtures.value)
    isFine &&= checked.fine
    const { path: file, texts: _texts, ...found } = checked
    io.stdout.write(values.json ? `${jsonLine({ file, ...found })}\n` : toText(checked, paint))
  }
  if (isFine) return exitCodes.fine
  if (!values.json) io.stdout.write(`${paint('dim', 'More: docs/scenarios.md#the-file')}\n`)
  return exitCodes.wrongUsage
}

type CheckedFile = Awaited<ReturnType<typeof checkFile>>

async function checkFile(path: string, fixtures: Fixtures) {
  /** The text of each file that was read: the scenario and those that it extends. */
  const texts = new Map<string, string>()
  const keepText = async (file: string) => {
    const text = await readText(file)
    texts.set(file, text)
    return text
  }
  const complaints: readonly Complaint[] = []
  const warnings: readonly string[] = []
  const nothing = { path, fine: false, problem: undefined, complaints, texts, steps: 0, warnings }
  const { readScenario } = await import('../../control/scenario/read/read.ts')
  const sources = { readText: keepText, fixtures, shipped: shippedScenarios }
  const reading = await readFrom(path, keepText(path), () => readScenario(path, sources))
  const hint = shippedScenarios.has(path)
    ? `; for the shipped scenario of this name, use pet-mock scenarios show ${path} or scenarios play ${path}`
    : ''
  if (typeof reading === 'string') return { ...nothing, problem: `${reading}${hint}` }
  if (!reading.ok) return { ...nothing, complaints: reading.complaints }
  const file = reading.value
  return { ...nothing, fine: true, steps: file.walkthrough?.length ?? 0, warnings: coveredRules(file) }
}

function toText({ path, problem, complaints, texts, steps, warnings }: CheckedFile, paint: Paint): string {
  if (problem !== undefined) return `${printable(problem)}\n`
  const lines = complaints.map(complaint => formatWithLine(complaint, texts.get(complaint.file), paint))
  if (lines.length > 0) return `${lines.join('\n')}\n`
  const walkthrough = steps === 0 ? '' : `, walkthrough of ${formatCount(steps, 'step')}`
  const notes = warnings.map(warning => `  ${paint('yellow', '!')} ${printable(warning)}\n`)
  return `${paint('green', '✓')} ${printable(path)}${paint('dim', walkthrough)}\n${notes.join('')}`
}

/** How many characters of a line are shown before and after the mistake. */
const before = 60
const after = 40

function formatWithLine(complaint: Complaint, text: string | undefined, paint: Paint): string {
  const { file, line, column, message } = complaint
  const head = `${paint('bold', `${printable(file)}:${line}:${column}:`)} ${printable(message)}`
  const whole = text?.split(/\r?\n|\r/, line)[line - 1]
  if (whole === undefined || whole.trim() === '') return head
  const from = Math.max(0, column - 1 - before)
  // One space for each tab and invisible character keeps the caret in its column.
  const shown = (part: string) => part.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
  const left = `${from > 0 ? '…' : ''}${shown(whole.slice(from, column - 1))}`
  const right = shown(whole.slice(column - 1, column - 1 + after))
  const cut = whole.length > column - 1 + after ? '…' : ''
  const margin = `${line}`.padStart(5)
  return `${head}\n${paint('dim', `${margin} |`)} ${left}${right}${cut}\n${paint('dim', '      |')} ${' '.repeat(left.length)}${paint('red', '^')}`
}
