import { scenarioText } from '../../control/scenario/show.ts'
import type { Command } from '../arguments/command.ts'
import { readFlags } from '../arguments/read-flags.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import { exitCodes } from '../terminal/io.ts'
import { namedScenarios } from './name-scenario.ts'
import { fileFlags } from './scenarios.ts'

export const run: Command['run'] = async (given, complaints, io, words) => {
  const flags = readFlags(fileFlags, given, io.env)
  const wrong = words.length === 1 ? [] : ['Which scenario? pet-mock scenarios show NAME|FILE']
  const found = await namedScenarios(words.slice(0, 1), flags)
  const all = [...complaints, ...flags.complaints, ...wrong, ...(found.ok ? [] : found.complaints)]
  if (!found.ok || all.length > 0) return refuseUsage(all, io)
  for (const { file, fixtures } of found.value) io.stdout.write(scenarioText(file, fixtures))
  return exitCodes.fine
}
