import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { suggest } from '../../../base/text/did-you-mean.ts'
import { showValue } from '../../../control/files/show.ts'
import { compileGlob } from '../../../emulator/rules/match.ts'
import { conductIds } from '../../../judges/conduct/checks.ts'
import { searchMark } from '../../../judges/search/breaks-file.ts'
import { type PartName, partNames, usualParts } from '../../../judges/search/situation.ts'
import type { Invocation } from '../../arguments/command.ts'
import { unknownIds } from '../../arguments/report-flags.ts'
import { complaintsOf, failed, type Loading, typedPath } from '../../start/load/loading.ts'
import type { RehearseValues } from './flags.ts'

/** Flags about declared situations. Drawn ones have keys of their own, and nothing is expected of a client in them. */
const notForSearch = [
  'add',
  'sunset',
  'repeat',
  'baseline',
  'write-baseline',
  'add-key',
  'pets',
  'box',
  'instances',
] as const

/** The parts of a situation to draw, or complaints about flags that do not go together and about the file to write. */
export async function checkSearch({
  values,
  given,
  typed,
  io,
}: Invocation<RehearseValues>): Promise<Loading<ReadonlySet<PartName>>> {
  const { finding, 'max-runs': maxRuns, confirm, output, force } = values
  // Those of the project file name situations.
  const [only, skip] = [typed.has('only') ? values.only : [], typed.has('skip') ? values.skip : []]
  const parts = selectNames('part', partNames, only.length > 0 ? partNames : usualParts, only, skip)
  const sought = { level: 'never' as const, ids: new Map(finding.map(id => [id, true])) }
  const complaints = [
    ...notForSearch.filter(name => typed.has(name)).map(name => `--search and --${name} exclude each other.`),
    ...unknownIds(sought, conductIds, '--finding'),
    ...(finding.length > 0 && given.has('fail-on')
      ? ['--finding and --fail-on exclude each other: --finding looks for these findings only.']
      : []),
    ...complaintsOf(parts),
    ...(maxRuns <= confirm
      ? [`--max-runs ${maxRuns} is too few: a failure is repeated ${confirm} times (--confirm).`]
      : []),
    ...(force || (await isOurs(typedPath(output, io.env)))
      ? []
      : [`${output} already exists, and no search wrote it: --force replaces it`]),
  ]
  return parts.ok && complaints.length === 0
    ? { ok: true, value: new Set(parts.value) }
    : failed(...complaints)
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

/**
 * Keeps of `usual` what --only names, without what --skip names. Complains about words that name nothing of `all`. `what`:
 * what the names are of, such as `situation`.
 */
export function selectNames<Name extends string>(
  what: string,
  all: readonly Name[],
  usual: readonly Name[],
  only: readonly string[],
  skip: readonly string[],
): Loading<readonly Name[]> {
  const others = `; the ${what}s are ${all.join(', ')}`
  const unknown = (flag: string, patterns: readonly string[]) =>
    patterns
      .filter(pattern => !all.some(name => matches(pattern, name)))
      .map(pattern => `${flag}: no ${what} is named ${showValue(pattern)}${suggest(pattern, all) || others}`)
  const complaints = [...unknown('--only', only), ...unknown('--skip', skip)]
  if (complaints.length > 0) return failed(...complaints)
  const kept = usual
    .filter(name => only.length === 0 || only.some(pattern => matches(pattern, name)))
    .filter(name => !skip.some(pattern => matches(pattern, name)))
  return kept.length > 0 ? { ok: true, value: kept } : failed(`No ${what} is left: --skip names them all.`)
}

/** A file may be named without its folder and extension. */
function matches(pattern: string, name: string): boolean {
  const fits = compileGlob(pattern)
  return fits(name) || fits(basename(name).replace(/\.(?:ya?ml|json)$/i, ''))
}
