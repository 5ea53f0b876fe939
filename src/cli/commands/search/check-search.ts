import { open } from 'node:fs/promises'
import { conductIds } from '../../../judges/conduct/checks.ts'
import { searchMark } from '../../../judges/search/breaks-file.ts'
import { usualParts } from '../../../judges/search/situation.ts'
import type { Invocation } from '../../arguments/command.ts'
import { unknownIds } from '../../arguments/report-flags.ts'
import { checkCommand } from '../../clients/command-words.ts'
import { typedPath } from '../../start/load/typed-path.ts'
import type { SearchValues } from './flags.ts'

/** Complaints about flags that do not go together, and about the file to write. */
export async function checkSearch(
  { values, given, sources, io }: Invocation<SearchValues>,
  command: readonly string[],
): Promise<readonly string[]> {
  const { finding, only, skip, budget, confirm, output, force, 'fail-on': failOn } = values
  const sought = { level: 'never' as const, ids: new Map(finding.map(id => [id, true])) }
  const drawn = only.length > 0 ? only : usualParts
  const isNothingLeft = drawn.every(name => skip.includes(name))
  return [
    ...checkCommand('search', command),
    ...unknownIds(failOn, conductIds, sources['fail-on']),
    ...unknownIds(sought, conductIds, '--finding'),
    ...(finding.length > 0 && given.has('fail-on')
      ? ['--finding and --fail-on exclude each other: --finding looks for these findings only.']
      : []),
    ...(isNothingLeft ? ['--only and --skip leave no part to draw.'] : []),
    ...(budget <= confirm
      ? [`--budget ${budget} is too few: a failure is repeated ${confirm} times (--confirm).`]
      : []),
    ...(force || (await isOurs(typedPath(output, io.env)))
      ? []
      : [`${output} already exists, and no search wrote it: --force replaces it`]),
  ]
}

/** Whether a file may be replaced: a search wrote it, or there is none. What cannot be read is reported when it is written. */
async function isOurs(path: string): Promise<boolean> {
  const handle = await open(path, 'r').catch(() => undefined)
  if (handle === undefined) return true
  try {
    if (!(await handle.stat()).isFile()) return true
    const start = Buffer.alloc(searchMark.length)
    await handle.read(start, 0, start.length, 0)
    return start.toString('latin1') === searchMark
  } finally {
    await handle.close()
  }
}
