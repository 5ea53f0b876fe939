import { shippedScenarios } from '../../control/scenario/shipped.ts'
import { shippedWalkthroughs } from '../../judges/walkthrough/shipped.ts'
import type { Command } from '../arguments/command.ts'
import { readFlags } from '../arguments/read-flags.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import { exitCodes } from '../terminal/io.ts'
import { jsonLine } from '../terminal/json-line.ts'
import { createPaint } from '../terminal/paint.ts'
import { wrap } from '../terminal/printable.ts'
import { listFlags } from './scenarios.ts'

export const run: Command['run'] = async (given, complaints, io) => {
  const flags = readFlags(listFlags, given, io.env)
  const all = [...complaints, ...flags.complaints]
  if (all.length > 0) return refuseUsage(all, io)
  const scenarios = Array.from(shippedScenarios, ([name, { title, description }]) => ({
    name,
    title: title ?? name,
    description: description ?? '',
    steps: shippedWalkthroughs.get(name)?.length ?? 0,
  }))
  if (flags.values.json) {
    io.stdout.write(`${jsonLine({ scenarios })}\n`)
    return exitCodes.fine
  }
  const paint = createPaint(io.stdout)
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  const columns = Math.min(io.stdout.columns ?? 110, 110)
  for (const { name, title, description, steps } of scenarios) {
    const story = steps === 0 ? 'no story' : steps === 1 ? 'a story of 1 step' : `a story of ${steps} steps`
    io.stdout.write(
      `${paint('green', name.padEnd(width))}  ${paint('bold', title)} ${paint('dim', `(${story})`)}\n`,
    )
    for (const line of wrap(description, Math.max(20, columns - width - 2)))
      io.stdout.write(`${' '.repeat(width)}  ${paint('dim', line)}\n`)
  }
  return exitCodes.fine
}
