import { isObject } from '../../../base/json/is-object.ts'
import type { Path } from '../../files/show.ts'
import type { ScenarioFile } from '../file.ts'

/**
 * The valid fields of a file. A field counts as a whole, since its parts depend on each other. A bad rule, or a bad item of a
 * list in a field, leaves a hole, so that the others keep their index.
 */
export function validFields(badPaths: readonly Path[], value: unknown): ScenarioFile {
  if (!isObject(value) || badPaths.some(path => path.length === 0)) return {}
  const copies = Object.entries(value).map(([name, field]) => [name, withOwnLists(field)] as const)
  const fields: Record<string, unknown> = Object.fromEntries(copies)
  for (const [name = '', part, item] of badPaths) {
    const field = fields[name]
    const list = isObject(field) ? field[part ?? ''] : undefined
    if (name === 'rules' && Array.isArray(field) && part !== undefined) delete field[Number(part)]
    else if (Array.isArray(list) && item !== undefined) delete list[Number(item)]
    else delete fields[name]
  }
  return fields
}

function withOwnLists(field: unknown): unknown {
  // Unlike a spread, `slice` keeps holes.
  if (Array.isArray(field)) return field.slice()
  if (!isObject(field)) return field
  const own = Object.entries(field).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.slice() : value,
  ])
  return Object.fromEntries(own)
}

/** Keys and plans name each other: a mistake in one must not cause complaints about the others. */
const entangled: readonly unknown[] = ['key', 'keys', 'plans']

/** Whether a problem at this path may only be due to fields of `value` that are not among the valid ones. */
export function dependsOnBadFields(value: unknown, valid: ScenarioFile, path: Path): boolean {
  if (!entangled.includes(path[0])) return false
  return entangled.some(name => has(value, [`${name}`]) && !has(valid, [`${name}`]))
}

export function has(value: unknown, path: Path): boolean {
  const [name, ...rest] = path
  if (name === undefined) return true
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false
  return has((value as Readonly<Record<string | number, unknown>>)[name], rest)
}
