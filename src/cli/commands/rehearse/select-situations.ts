import { basename } from 'node:path'
import { suggest } from '../../../base/text/did-you-mean.ts'
import { showValue } from '../../../control/files/show.ts'
import { failed, type Loading } from '../../start/load/loading.ts'

/** Keeps what --only names, without what --skip names. Complains about names that name nothing. */
export function selectSituations<One extends { readonly name: string }>(
  all: readonly One[],
  only: readonly string[],
  skip: readonly string[],
): Loading<readonly One[]> {
  const complaints = [...unknownNames('--only', only, all), ...unknownNames('--skip', skip, all)]
  if (complaints.length > 0) return failed(...complaints)
  const kept = all
    .filter(one => only.length === 0 || only.some(pattern => matches(pattern, one)))
    .filter(one => !skip.some(pattern => matches(pattern, one)))
  return kept.length > 0 ? { ok: true, value: kept } : failed('No situation is left: --skip names them all.')
}

function unknownNames(
  flag: string,
  patterns: readonly string[],
  all: readonly { readonly name: string }[],
): readonly string[] {
  const names = all.map(({ name }) => name)
  return patterns
    .filter(pattern => !all.some(one => matches(pattern, one)))
    .map(
      pattern =>
        `${flag}: no situation is named ${showValue(pattern)}${suggest(pattern, names) || `; the situations are ${names.join(', ')}`}`,
    )
}

/** A file may be named without its folder and extension. */
function matches(pattern: string, { name }: { readonly name: string }): boolean {
  const parts = pattern.split('*').map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  const whole = new RegExp(`^${parts.join('.*')}$`, 's')
  return whole.test(name) || whole.test(basename(name).replace(/\.(?:ya?ml|json)$/i, ''))
}
