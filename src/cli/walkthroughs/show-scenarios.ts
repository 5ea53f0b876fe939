import { formatCount } from '../../base/text/quantities.ts'
import { learnedBelow } from '../../control/profile/serve.ts'
import { shippedScenarios } from '../../control/scenario/shipped.ts'
import { scenarioText } from '../../control/scenario/show.ts'
import { shippedWalkthroughs } from '../../judges/walkthrough/shipped.ts'
import { type Run, refuseUsage } from '../arguments/command.ts'
import { loadProfile } from '../start/load/load-from-flags.ts'
import { complaintsOf } from '../start/load/loading.ts'
import { exitCodes } from '../terminal/io.ts'
import { createPaint, jsonLine, wrap } from '../terminal/text.ts'
import type { ListValues, ShowValues } from './flags.ts'
import { loadByName } from './load-by-name.ts'

export const list: Run<ListValues> = async ({ values, complaints, io }) => {
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

export const show: Run<ShowValues> = async invocation => {
  const { complaints, words, io } = invocation
  const loading = await loadByName(words, invocation)
  const profile = await loadProfile(invocation)
  const all = [...complaints, ...complaintsOf(loading, profile)]
  if (!loading.ok || !profile.ok || all.length > 0) return refuseUsage(all, io)
  for (const { file, fixtures } of loading.value)
    io.stdout.write(scenarioText(file, fixtures, profile.value && learnedBelow(file, profile.value)))
  return exitCodes.fine
}
