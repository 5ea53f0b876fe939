import { writeFile } from 'node:fs/promises'
import { explainFileError } from '../../../doors/disk/read-text.ts'
import { breaksFile } from '../../../judges/search/breaks-file.ts'
import type { Broken, SearchResult } from '../../../judges/search/search.ts'
import { createSecrets } from '../../../service/keys/mask.ts'
import { maskFreeText } from '../../../service/keys/mask-text.ts'
import { exitCodes, type Io } from '../../terminal/io.ts'
import { printable, shellWords } from '../../terminal/printable.ts'
import type { SearchValues } from './flags.ts'
import { endOf, outputLines, resultLines } from './result-lines.ts'
import type { Tries } from './try-situation.ts'

interface Result {
  readonly tries: Tries
  readonly command: readonly string[]
  readonly isUsedUp: boolean
  readonly values: SearchValues
}

/** Prints the result of a search, and writes what was found. Resolves with the exit code. */
export async function writeResult(
  result: SearchResult,
  { tries, command, isUsedUp, values }: Result,
  io: Io,
): Promise<number> {
  const { seed, output } = values
  const lines = resultLines(result, { seed, isUsedUp })
  io.stdout.write(`${lines.map(printable).join('\n')}\n`)
  const { found } = result
  if (found === undefined) return exitCodes.fine
  const again = againWords(found, command, values)
  const text = await breaksFile(found, tries.scenario(found.situation), again)
  const run = tries.failedRun(found.situation)
  const shown = run === undefined ? [] : [`The command: ${endOf(run)}`, ...outputLines(run)]
  io.stdout.write(`${[...shown, ''].map(printable).join('\n')}\n${text}\n`)
  try {
    await writeFile(output, text)
  } catch (error) {
    io.stderr.write(`${printable(`${output} cannot be written (${explainFileError(error)}).`)}\n`)
    return exitCodes.notSaved
  }
  io.stdout.write(`Written to ${printable(output)}. Again: ${printable(again)}\n`)
  return exitCodes.findings
}

/** The command line that shows what was found, with secrets masked. */
function againWords({ failure }: Broken, command: readonly string[], { output, mask }: SearchValues): string {
  const isFinding = /^[a-z-]+$/.test(failure) && failure !== 'hung'
  const failOn = isFinding ? ['--fail-on', failure] : []
  const words = ['pet-mock', 'exec', '--scenario', output, ...failOn, '--', ...command]
  return maskFreeText(shellWords(words), createSecrets(mask))
}
