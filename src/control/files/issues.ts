import type { z } from 'zod'

export type Issue = z.core.$ZodIssue

/** The union branch that the author meant: of the value's type, with the fewest wrong fields. */
export function likeliestBranch(
  issue: Issue,
): { readonly index: number; readonly issues: readonly Issue[] } | undefined {
  if (issue.code !== 'invalid_union') return undefined
  return issue.errors
    .map((issues, index) => ({ index, issues }))
    .filter(({ issues }) => !issues.some(isWrongType))
    .sort((a, b) => wrongFields(a.issues) - wrongFields(b.issues))[0]
}

function isWrongType(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
}

function wrongFields(issues: readonly Issue[]): number {
  const names = issues.flatMap(issue =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0
      ? issue.keys
      : [`${String(issue.path[0] ?? '')}`],
  )
  return new Set(names).size
}

/** The values by which a field selects a branch of a union. */
export function unionOptions(issue: Issue | z.core.$ZodRawIssue): readonly unknown[] {
  return issue.code === 'invalid_union' && 'options' in issue && Array.isArray(issue.options)
    ? issue.options
    : []
}
