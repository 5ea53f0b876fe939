import { scenarioText } from '../../control/scenario/show.ts'
import type { Run } from '../arguments/command.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import { exitCodes } from '../terminal/io.ts'
import type { FileValues } from './flags.ts'
import { namedScenarios } from './name-scenario.ts'

export const run: Run<FileValues> = async invocation => {
  const { complaints, words, io } = invocation
  const found = await namedScenarios(words, invocation)
  const all = [...complaints, ...(found.ok ? [] : found.complaints)]
  if (!found.ok || all.length > 0) return refuseUsage(all, io)
  for (const { file, fixtures } of found.value) io.stdout.write(scenarioText(file, fixtures))
  return exitCodes.fine
}
