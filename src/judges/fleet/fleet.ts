import type { Scenario } from '../../emulator/worlds/scenario.ts'

/** Instances, and the jobs that they get. Times are milliseconds. */
export interface Fleet {
  readonly scenario: Scenario
  /** The virtual clock's start, since the epoch. */
  readonly startedAt: number
  readonly length: number
  readonly seed: number
  readonly groups: readonly Group[]
}

/** Instances that are alike. */
export interface Group {
  readonly name: string
  readonly instances: number
  /** One of the scenario's. */
  readonly key: string
  readonly call: { readonly method: string; readonly target: string }
  readonly demand: Demand
  /** From a call to its response. */
  readonly latency: number
  /** When its instances start, from the start of the fleet. Jobs that come before wait. */
  readonly start: number
  /** Each instance restarts this often, one after the other. Its policy forgets; its jobs stay. */
  readonly restarts: number | undefined
  /** When all its instances restart at once, from the start of the fleet. */
  readonly deploys: readonly number[]
}

/** The jobs of a group: at a rate, or at the instants of a recording, from the start of the fleet. */
export type Demand =
  | {
      readonly perMs: number
      readonly arrivals: 'even' | 'poisson'
      readonly byHour: readonly number[] | undefined
    }
  | { readonly instants: readonly number[] }

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Jobs for each millisecond, of a text such as `70/m`, or `3.5/m each` for one instance. Undefined if it is none. */
export function parseRate(text: string, instances: number): number | undefined {
  const [, count, unit = '', each] = /^(\d+(?:\.\d+)?)\/([smhd])( each)?$/.exec(text) ?? []
  const perMs = (Number(count) / (unitMs[unit] ?? Number.NaN)) * (each === undefined ? 1 : instances)
  return perMs > 0 && Number.isFinite(perMs) ? perMs : undefined
}

/** The next job of an instance each time, in the order of their instants. Infinity: there is none. */
export type Arrivals = () => number

/** The jobs of the `place`-th of a group's instances. The jobs of a group go to its instances in turn. */
export function arrivalsOf(
  { demand, instances }: Group,
  place: number,
  startedAt: number,
  random: () => number,
): Arrivals {
  let turn = place
  if ('instants' in demand) {
    const { instants } = demand
    return () => {
      const at = instants[turn] ?? Number.POSITIVE_INFINITY
      turn += instances
      return startedAt + at
    }
  }
  const { perMs, arrivals, byHour } = demand
  const instantOf =
    byHour === undefined ? (jobs: number) => startedAt + jobs / perMs : timeOf(perMs, byHour, startedAt)
  if (arrivals === 'even')
    return () => {
      turn += instances
      return instantOf(turn - instances)
    }
  let jobs = 0
  return () => {
    jobs -= instances * Math.log(1 - random())
    return instantOf(jobs)
  }
}

/** When this count of jobs has come, at a rate that changes with the hour of the day in UTC. Its calls are in order. */
function timeOf(perMs: number, byHour: readonly number[], startedAt: number): (jobs: number) => number {
  const mean = byHour.reduce((all, one) => all + one, 0) / byHour.length
  let [from, before] = [startedAt, 0]
  return jobs => {
    for (;;) {
      const rate = (perMs * (byHour[new Date(from).getUTCHours()] ?? 0)) / mean
      const to = (Math.floor(from / 3_600_000) + 1) * 3_600_000
      const within = (to - from) * rate
      if (jobs < before + within) return from + (jobs - before) / rate
      before += within
      from = to
    }
  }
}

/** When an instance restarts: those of its group restart one after the other, or all at once. */
export function restartsOf(
  { restarts, deploys, instances }: Group,
  place: number,
  length: number,
): readonly number[] {
  const own: number[] = []
  if (restarts !== undefined)
    for (let at = (restarts * (place + 1)) / instances; at < length; at += restarts) own.push(at)
  return [...own, ...deploys].sort((one, other) => one - other)
}
