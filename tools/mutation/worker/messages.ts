/** The tests of a file, by the ids that the runner gives them. */
export interface ChosenTests {
  readonly file: string
  readonly ids: readonly string[]
}

export type Order =
  | { readonly type: 'measure'; readonly files: readonly string[] }
  | {
      readonly type: 'try'
      readonly mutant: string
      readonly tests: readonly ChosenTests[]
      readonly hitLimit: number | undefined
      /** Milliseconds of the processor. */
      readonly limit: number
    }

export interface MeasuredTest {
  readonly file: string
  readonly id: string
  /** Of the processor. */
  readonly ms: number
}

/** A test that does not pass in this process, such as one that listens, or that is too slow to run for each mutant. */
export interface LeftOut {
  readonly file: string
  readonly test: string
  readonly reason: string
}

/** How often each mutant's code ran, by test. The code of a test file outside its tests has the file's name. */
export type Coverage = Readonly<Record<string, Readonly<Record<string, number>>>>

export interface Measured {
  readonly type: 'measured'
  readonly tests: readonly MeasuredTest[]
  readonly leftOut: readonly LeftOut[]
  readonly atLoad: readonly string[]
  readonly coverage: Coverage
}

export interface Tried {
  readonly type: 'tried'
  readonly killer?: { readonly file: string; readonly test: string; readonly message: string }
  /** The tests that the killer is one of: all that ran if no single one failed. */
  readonly witness?: ChosenTests
  /** The killing test also fails without the mutant now, or nobody knows: the process may have kept something. */
  readonly isDirty: boolean
}

export type Report = Measured | Tried | { readonly type: 'ready' }
