import { texts } from '../../../base/text/constraint.ts'
import { suggest } from '../../../base/text/did-you-mean.ts'
import { showValue } from '../../../control/files/show.ts'
import { sandboxNames } from '../../../emulator/worlds/constraints.ts'
import type { Sandboxes } from '../../../emulator/worlds/sandboxes.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import { refusal } from './replies.ts'
import { textField } from './request-fields.ts'

/**
 * The sandboxes that a route is about: an existing one, existing ones (`*`), any names, which need not exist, or none:
 * then it ignores the parameter.
 */
export type SandboxScope = 'one' | 'any' | 'named' | 'none'

const nameOrAll = texts(
  `${sandboxNames.expected}; or * for all`,
  new RegExp(`${sandboxNames.pattern.source}|^[*]$`),
)

/** The parameter that every route accepts, so that a client can send it with every call. */
export function sandboxParameter(scope: SandboxScope) {
  const all = scope === 'any' || scope === 'named' ? '; `*` for all of them' : ''
  return textField(scope === 'one' ? sandboxNames : nameOrAll, `The sandbox${all}. Default: default.`)
}

/** The worlds of the named sandbox, of all (`*`), or of the default one if there is no name. */
export function findWorlds(sandboxes: Sandboxes, named: string | undefined): readonly World[] | Response {
  const names = sandboxes.names()
  if (named === '*') return names.flatMap(known => sandboxes.get(known) ?? [])
  const world = sandboxes.get(named ?? sandboxes.default.sandbox)
  if (world !== undefined) return [world]
  const hint = suggest(named ?? '', names) || '; the first call with its name creates it.'
  return refusal('not_found', `There is no sandbox ${showValue(named)}${hint}`)
}
