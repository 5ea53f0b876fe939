import { basename } from 'node:path'
import { suggest } from '../../../base/text/did-you-mean.ts'
import { showValue } from '../../../control/files/show.ts'
import { failed, type Loading } from '../../start/load/loading.ts'

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
  const parts = pattern.split('*').map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  const whole = new RegExp(`^${parts.join('.*')}$`, 's')
  return whole.test(name) || whole.test(basename(name).replace(/\.(?:ya?ml|json)$/i, ''))
}
