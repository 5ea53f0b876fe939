/** A mutant that behaves like the original, or differs only where nobody can see it. It still counts as survived. */
export interface Equivalent {
  readonly file: string
  readonly original: string
  readonly replacement: string
  readonly reason: string
}

const onlyFaster = 'a quick test, so that most headers are compared by their length alone'
const notAbsolute = 'a quick test: no target in absolute form begins with a slash'

export const equivalents: readonly Equivalent[] = [
  {
    file: 'src/service/call/prefer.ts',
    original: 'candidate?.length !== name.length',
    replacement: 'false',
    reason: onlyFaster,
  },
  {
    file: 'src/service/call/headers.ts',
    original: 'candidate.length !== name.length',
    replacement: 'false',
    reason: onlyFaster,
  },
  {
    file: 'src/service/call/headers.ts',
    original: 'candidate !== name',
    replacement: 'true',
    reason: onlyFaster,
  },
  {
    file: 'src/service/call/target.ts',
    original: "!target.startsWith('/')",
    replacement: 'true',
    reason: notAbsolute,
  },
  {
    file: 'src/judges/conduct/observed-call.ts',
    original: '0x1_0000 + length',
    replacement: '0x1_0000 - length',
    reason: 'another hash as good as this one: no length of a part is a code unit in either',
  },
]
