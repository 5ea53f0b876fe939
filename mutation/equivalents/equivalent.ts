/** A mutant that behaves like the original, or differs only where nobody can see it. It still counts as survived. */
export interface Equivalent {
  readonly file: string
  readonly original: string
  readonly replacement: string
  readonly reason: string
}

/** Original and replacement. */
type Change = readonly [original: string, replacement: string]

export function inFile(file: string, reason: string, ...changes: readonly Change[]): readonly Equivalent[] {
  return changes.map(([original, replacement]) => ({ file, original, replacement, reason }))
}

export const onlyFaster = 'without it, the same is only slower'
export const overwritten = 'a first value, which each call overwrites before anybody reads it'
export const beyondTheEnd = 'one step beyond the end of a list finds nothing'
export const cacheBound = 'a bound of the memory of a cache'
export const alwaysInMatch = 'a group that takes part in each match, so that nobody needs the default'
export const rejectedAlike = 'a default that is rejected like the empty text'
