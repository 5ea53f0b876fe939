import type { z } from 'zod'
import type { Path } from './show.ts'

export type Issue = z.core.$ZodIssue

/** Of a union's branches, the problems of the one whose kind the value has: they are the ones worth telling. */
export function rightBranch(issue: Issue): readonly Issue[] | undefined {
  if (issue.code !== 'invalid_union') return undefined
  return issue.errors.find(branch => !branch.some(isOfAnotherKind))
}

function isOfAnotherKind(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
}

/** A field that had to be there: its name, and the path of what it is missing from. */
export function missingPart(
  path: Path,
  found: unknown,
): { readonly parent: Path; readonly name: string } | undefined {
  const name = path.at(-1)
  return found === undefined && typeof name === 'string' ? { parent: path.slice(0, -1), name } : undefined
}
