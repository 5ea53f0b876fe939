import fc from 'fast-check'

export interface Lane {
  readonly name: string
  readonly about: string
  readonly share: number
  /** About how many inputs a case has. */
  readonly perCase: number
  /** Bytes of heap that an input may keep, beside the 4 MB of a run. Default: none. */
  readonly keeps?: number
  readonly open: () => Promise<Session>
}

interface Session {
  /** Draws cases and checks each. `around` runs one case. */
  readonly check: (
    parameters: fc.Parameters<unknown>,
    around: (run: () => Promise<number>) => Promise<void>,
  ) => Promise<Checked>
  /** Bytes of heap that what is fuzzed holds after a garbage collection. */
  readonly heap: () => Promise<number>
  readonly close: () => Promise<void>
}

export interface Checked {
  readonly cases: number
  readonly failure: Failure | undefined
}

export interface Failure {
  readonly problem: string
  readonly input: string
  /** Leads fast-check to the case. Undefined: the whole lane has to be run again. */
  readonly path: string | undefined
}

/** What is wrong with an answer, a file's reading or a state. */
export class Broken extends Error {
  override readonly name = 'Broken'
}

export interface Subject<T> {
  readonly cases: fc.Arbitrary<T>
  /** Checks a case and returns how many inputs it had. Rejects with what is wrong. */
  readonly run: (value: T) => Promise<number>
  readonly heap: () => Promise<number>
  readonly close?: () => Promise<void>
}

export function sessionOf<T>({ cases, run, heap, close = async () => {} }: Subject<T>): Session {
  return {
    heap,
    close,
    check: async (parameters, around) => {
      const property = fc.asyncProperty(cases, value => around(() => run(value)))
      const details = await fc.check(property, parameters as fc.Parameters<[T]>)
      const { numRuns, failed, counterexample, counterexamplePath, errorInstance } = details
      if (!failed || counterexample === null) return { cases: numRuns, failure: undefined }
      const input = fc.stringify(counterexample[0])
      const path = counterexamplePath ?? undefined
      return { cases: numRuns, failure: { problem: explain(errorInstance), input, path } }
    },
  }
}

function explain(error: unknown): string {
  if (error instanceof Broken) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
