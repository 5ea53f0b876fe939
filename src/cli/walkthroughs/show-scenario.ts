import { scenarioText } from '../../control/scenario/show.ts'
import type { Run } from '../arguments/command.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import { exitCodes } from '../terminal/io.ts'
import type { FileValues } from './flags.ts'
import { loadByName } from './load-by-name.ts'

export const run: Run<FileValues> = async invocation => {
  const { complaints, words, io } = invocation
  const loading = await loadByName(words, invocation)
  const all = [...complaints, ...(loading.ok ? [] : loading.complaints)]
  if (!loading.ok || all.length > 0) return refuseUsage(all, io)
  for (const { file, fixtures } of loading.value) io.stdout.write(scenarioText(file, fixtures))
  return exitCodes.fine
}
