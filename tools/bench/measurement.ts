import type { Load } from './load/load.ts'
import type { Processes } from './processes.ts'

/** What could not be measured on this machine, and why. */
export interface NotRun {
  readonly notRun: string
}

export function isNotRun(value: unknown): value is NotRun {
  return typeof value === 'object' && value !== null && 'notRun' in value
}

/** An error as the reason, on one line. */
export function notRun(error: unknown): NotRun {
  const text = error instanceof Error ? error.message : String(error)
  return { notRun: text.replace(/\s+/g, ' ').trim() }
}

export interface Bench {
  readonly root: string
  readonly folder: string
  readonly processes: Processes
  readonly rounds: number
  readonly seconds: number
  readonly peers: string | NotRun
  readonly load: Load | NotRun
}

export interface Measurement {
  readonly name: string
  readonly about: string
  /** Whether it measures other servers, which the first run installs. */
  readonly needsPeers?: boolean
  readonly run: (bench: Bench) => Promise<Outcome>
}

/** One thing measured of one contestant: a sample a round. */
export interface Series {
  readonly who: string
  readonly what: string
  readonly unit: Unit
  readonly samples: readonly number[] | NotRun
  /** Whether a greater figure is the better one; else only calls/s are. */
  readonly moreIsBetter?: boolean
  /** The best of the rounds, if it is not one of the samples: that of a ratio compares the best rounds of both. */
  readonly best?: number
}

export type Unit = 'calls/s' | 'ms' | 'µs' | 'ns' | 's' | 'bytes' | 'MB' | 'packages' | '×'

export interface Claim {
  readonly what: string
  readonly samples: readonly number[] | NotRun
  readonly best?: number
  readonly unit: Unit
  readonly sense: 'at least' | 'at most'
  readonly bar?: number
  /** Where it is going, when that is further than the bar. */
  readonly goal?: number
}

export interface Outcome {
  readonly title: string
  readonly notes: readonly string[]
  readonly series: readonly Series[]
  readonly claims: readonly Claim[]
}
