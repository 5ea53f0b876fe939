import type { Path } from '../files/show.ts'
import type { Problem } from './problem.ts'

/** Sorts problems by where they are in a value: a file or a body as its author wrote it. */
export function inOrder(value: unknown, problems: readonly Problem[]): readonly Problem[] {
  const placed = problems.map(problem => ({ problem, place: placeOf(value, problem.path) }))
  return placed.toSorted((a, b) => compare(a.place, b.place)).map(({ problem }) => problem)
}

/** The index of each part of a path among its neighbours. What is missing comes last. */
function placeOf(value: unknown, path: Path): readonly number[] {
  let inner = value
  return path.map(part => {
    const names = typeof inner === 'object' && inner !== null ? Object.keys(inner) : []
    const index = names.indexOf(`${part}`)
    inner = index === -1 ? undefined : (inner as Readonly<Record<string | number, unknown>>)[part]
    return index === -1 ? Number.POSITIVE_INFINITY : index
  })
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((index, depth) => index !== b[depth])
  if (at === -1) return a.length - b.length
  const other = b[at]
  return other === undefined ? 1 : (a[at] ?? 0) < other ? -1 : 1
}
