import type * as z from 'zod'
import { texts } from '../../../base/text/constraint.ts'
import { suggest } from '../../../base/text/did-you-mean.ts'
import { text } from '../../../control/files/shapes.ts'
import { showValue } from '../../../control/files/show.ts'
import { sandboxNames } from '../../../emulator/worlds/constraints.ts'
import type { Sandboxes } from '../../../emulator/worlds/sandboxes.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import { refusal } from './replies.ts'

/** What of sandboxes a route is about: one, one or all of them, or none; to the last, a name says nothing. */
export type SandboxScope = 'one' | 'any' | 'none'

const oneName = text(sandboxNames)
const nameOrAll = text(
  texts(`${sandboxNames.expected}; or * for all`, new RegExp(`${sandboxNames.pattern.source}|^[*]$`)),
)

/** The parameter that every route takes, so that a client may say it once for all of its calls. */
export function sandboxParameter(scope: SandboxScope): z.ZodOptional<z.ZodString> {
  const about = scope === 'any' ? 'The sandbox; `*` is all of them.' : 'The sandbox.'
  return (scope === 'one' ? oneName : nameOrAll)
    .meta({ description: `${about} Without it: default.` })
    .optional()
}

/** The worlds of the sandbox that is named, of all (`*`), or, where none is, of the default one. */
export function findWorlds(sandboxes: Sandboxes, named: string | undefined): readonly World[] | Response {
  const names = sandboxes.names()
  if (named === '*') return names.flatMap(known => sandboxes.get(known) ?? [])
  const world = sandboxes.get(named ?? sandboxes.default.sandbox)
  if (world !== undefined) return [world]
  const hint = suggest(named ?? '', names) || '; a sandbox is made by the first call that names it.'
  return refusal('not_found', `There is no sandbox ${showValue(named)}${hint}`)
}

/** The world of the sandbox that is named. */
export function findWorld(sandboxes: Sandboxes, named: string | undefined): World | Response {
  const worlds = findWorlds(sandboxes, named)
  return worlds instanceof Response ? worlds : (worlds[0] ?? sandboxes.default)
}
