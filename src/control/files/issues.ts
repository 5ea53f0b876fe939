import type { z } from 'zod'
import type { Path } from './show.ts'

export type Issue = z.core.$ZodIssue

/** Of a union's branches, the one that was meant: of those of the value's kind, the one with the fewest fields amiss. */
export function rightBranch(
  issue: Issue,
): { readonly index: number; readonly issues: readonly Issue[] } | undefined {
  if (issue.code !== 'invalid_union') return undefined
  const branches = issue.errors
    .map((issues, index) => ({ index, issues }))
    .filter(({ issues }) => !issues.some(isOfAnotherKind))
    .sort((a, b) => fieldsAmiss(a.issues) - fieldsAmiss(b.issues))
  return branches[0]
}

function isOfAnotherKind(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
}

function fieldsAmiss(issues: readonly Issue[]): number {
  return new Set(
    issues.flatMap(issue =>
      issue.code === 'unrecognized_keys' && issue.path.length === 0
        ? issue.keys
        : [String(issue.path[0] ?? '')],
    ),
  ).size
}

/** What a field may say that tells the branches of a union apart. */
export function namesOfBranches(issue: Issue | z.core.$ZodRawIssue): readonly unknown[] {
  return issue.code === 'invalid_union' && 'options' in issue && Array.isArray(issue.options)
    ? issue.options
    : []
}

/** A field that had to be there: its name, and the path of what it is missing from. */
export function missingPart(
  path: Path,
  found: unknown,
): { readonly parent: Path; readonly name: string } | undefined {
  const name = path.at(-1)
  return found === undefined && typeof name === 'string' ? { parent: path.slice(0, -1), name } : undefined
}
