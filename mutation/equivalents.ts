/** A mutant that behaves like the original, or differs only where nobody can see it. It still counts as survived. */
export interface Equivalent {
  readonly file: string
  readonly original: string
  readonly replacement: string
  readonly reason: string
}

export const equivalents: readonly Equivalent[] = []
