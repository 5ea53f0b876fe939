import { explainUnreadable, readText } from '../disk/read-text.ts'
import type { Complaint } from '../files/complaint.ts'
import { shippedScenarios } from '../scenario/shipped.ts'
import type { Command } from './command.ts'
import { exitCodes } from './io.ts'
import { loadFixtures } from './load-scenario.ts'
import { createPaint, type Paint } from './paint.ts'
import { printable } from './printable.ts'
import { readFlags } from './read-flags.ts'
import { refuseUsage } from './refuse-usage.ts'
import { fileFlags } from './scenarios.ts'

export const run: Command['run'] = async (given, complaints, io, words) => {
  const flags = readFlags(fileFlags, given, io.env)
  const missing = words.length === 0 ? ['Which file? pet-mock scenarios check FILE…'] : []
  const fixtures = await loadFixtures(flags.values.fixtures, flags.sources.fixtures)
  const usage = [...complaints, ...flags.complaints, ...missing, ...(fixtures.ok ? [] : fixtures.complaints)]
  if (!fixtures.ok || usage.length > 0) return refuseUsage(usage, io)
  const { readScenario } = await import('../scenario/read.ts')
  const paint = createPaint(io.stdout)
  let bad = 0
  for (const path of words) {
    const texts = new Map<string, string>()
    const keepText = async (file: string) => {
      const text = await readText(file)
      texts.set(file, text)
      return text
    }
    const unreadable = await explainUnreadable(path, keepText, [])
    if (unreadable !== undefined) {
      bad += 1
      io.stdout.write(`${printable(unreadable)}\n`)
      continue
    }
    const reading = await readScenario(path, {
      readText: keepText,
      fixtures: fixtures.value,
      shipped: shippedScenarios,
    })
    if (reading.ok) {
      const steps = reading.value.file.walkthrough?.length ?? 0
      io.stdout.write(
        `${paint('green', '✓')} ${printable(path)}${steps === 0 ? '' : paint('dim', `, with a story of ${steps} steps`)}\n`,
      )
      continue
    }
    bad += 1
    for (const complaint of reading.complaints)
      io.stdout.write(`${showComplaint(complaint, texts.get(complaint.file), paint)}\n`)
  }
  return bad === 0 ? exitCodes.fine : exitCodes.wrongUsage
}

/** How much of a line is shown before and after the place that is meant. */
const before = 60
const after = 40

/** A complaint, the line that it is about, and a caret under the place. */
export function showComplaint(
  { file, line, column, message }: Complaint,
  text: string | undefined,
  paint: Paint,
): string {
  const head = `${paint('bold', `${printable(file)}:${line}:${column}:`)} ${printable(message)}`
  const whole = text?.split(/\r?\n|\r/, line)[line - 1]
  if (whole === undefined || whole.trim() === '') return head
  const from = Math.max(0, column - 1 - before)
  // A tab, and what cannot be shown, is as wide as one character here, so that the caret stands right.
  const shown = (part: string) => part.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
  const left = `${from > 0 ? '…' : ''}${shown(whole.slice(from, column - 1))}`
  const right = shown(whole.slice(column - 1, column - 1 + after))
  const cut = whole.length > column - 1 + after ? '…' : ''
  const margin = `${line}`.padStart(5)
  return `${head}\n${paint('dim', `${margin} |`)} ${left}${right}${cut}\n${paint('dim', '      |')} ${' '.repeat(left.length)}${paint('red', '^')}`
}
