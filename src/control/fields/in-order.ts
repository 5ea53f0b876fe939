import type { Path } from '../files/show.ts'
import type { Problems } from './problem.ts'

/** The index of each name of an object or a list, found once for all problems in it. */
type Indexes = Map<object, ReadonlyMap<string, number>>

/** Sorts problems by where they are in a value: a file or a body as its author wrote it. */
export function inOrder(value: unknown, problems: Problems): Problems {
  const indexes: Indexes = new Map()
  const placed = problems.map(problem => ({ problem, place: placeOf(value, problem.path, indexes) }))
  return placed.toSorted((a, b) => compare(a.place, b.place)).map(({ problem }) => problem)
}

/** The index of each part of a path among its neighbours. What is missing comes last. */
function placeOf(value: unknown, path: Path, indexes: Indexes): readonly number[] {
  let inner = value
  return path.map(part => {
    const index = indexOf(inner, `${part}`, indexes)
    inner = index === undefined ? undefined : (inner as Readonly<Record<string | number, unknown>>)[part]
    return index ?? Number.POSITIVE_INFINITY
  })
}

function indexOf(value: unknown, name: string, indexes: Indexes): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const known = indexes.get(value)
  if (known !== undefined) return known.get(name)
  const names = new Map(Object.keys(value).map((one, index) => [one, index]))
  indexes.set(value, names)
  return names.get(name)
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((index, depth) => index !== b[depth])
  if (at === -1) return a.length - b.length
  const other = b[at]
  return other === undefined ? 1 : (a[at] ?? 0) < other ? -1 : 1
}
