import { writeFile } from 'node:fs/promises'
import { defaultFailOn } from '../../../judges/report/fail-on.ts'
import { breaksFile } from '../../../judges/search/breaks-file.ts'
import { reportSearch } from '../../../judges/search/report.ts'
import type { Broken, SearchResult } from '../../../judges/search/search.ts'
import { explainFileError } from '../../../library/files/read-file.ts'
import { createSecrets } from '../../../service/keys/mask.ts'
import { maskFreeText } from '../../../service/keys/mask-text.ts'
import { writeReports } from '../../reports/write-reports.ts'
import { typedPath } from '../../start/load/typed-path.ts'
import { exitCodes, type Io } from '../../terminal/io.ts'
import { createPaint } from '../../terminal/paint.ts'
import { printable, shellWords } from '../../terminal/printable.ts'
import type { RehearseValues } from './flags.ts'
import { outputLines } from './output-lines.ts'
import type { PreparedRuns } from './prepare-runs.ts'
import { endOf, resultLines, type SearchEnd } from './search-lines.ts'
import type { Tries } from './try-situation.ts'

const mostLines = 20

interface Result {
  readonly tries: Tries
  readonly command: PreparedRuns['command']
  readonly end: SearchEnd
  readonly seed: number
  readonly values: RehearseValues
}

/** Prints the result of a search, and writes what was found. Resolves with the exit code. */
export async function writeResult(result: SearchResult, about: Result, io: Io): Promise<number> {
  const { tries, command, seed, values } = about
  const { stdout } = io
  stdout.write(`${resultLines(result, about).map(printable).join('\n')}\n`)
  const { found } = result
  const again = found === undefined ? '' : againWords(found, command.words, values)
  const { run, calls = [] } = (found && tries.failedRun(found.situation)) ?? {}
  const text =
    found === undefined ? '' : await breaksFile(found, tries.scenario(found.situation), again, calls)
  if (run !== undefined) {
    const shown = [
      `The command: ${endOf(run)}`,
      ...outputLines(run.output, createPaint(stdout), mostLines),
      '',
    ]
    stdout.write(`${shown.join('\n')}\n${text}\n`)
  }
  const isWritten = found === undefined || (await writeScenario(text, again, values, io))
  const reports = [reportSearch(result, { seed, text }), ...(run === undefined ? [] : [run.conduct])]
  const options = { failOn: defaultFailOn, files: values.report, to: undefined, command: command.typed }
  const code = await writeReports(reports, options, io)
  if (!isWritten) return exitCodes.notSaved
  return found === undefined ? code : exitCodes.findings
}

async function writeScenario(
  text: string,
  again: string,
  { output }: RehearseValues,
  { env, stdout, stderr }: Io,
): Promise<boolean> {
  const path = typedPath(output, env)
  try {
    await writeFile(path, text)
  } catch (error) {
    stderr.write(`${printable(`${path} cannot be written (${explainFileError(error)}).`)}\n`)
    return false
  }
  stdout.write(`Written to ${printable(path)}. Again: ${printable(again)}\n`)
  return true
}

/** The command line that shows what was found, with secrets masked. */
function againWords(
  { failure }: Broken,
  command: readonly string[],
  { output, mask }: RehearseValues,
): string {
  const isFinding = /^[a-z-]+$/.test(failure) && failure !== 'hung'
  const failOn = isFinding ? ['--fail-on', failure] : []
  const words = ['pet-mock', 'exec', '--scenario', output, ...failOn, '--', ...command]
  return maskFreeText(shellWords(words), createSecrets(mask))
}
