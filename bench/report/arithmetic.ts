import type { Series } from '../measurement.ts'
import { isNotRun } from '../not-run.ts'
import { median } from '../statistics.ts'

type Samples = Series['samples']

/** What a call costs nginx and a replica, in microseconds of a core, and the memory of a replica. */
export interface Costs {
  readonly nginxUs: Samples
  readonly replicaUs: Samples
  readonly replicaMB: Samples
}

const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })

/** What many replicas need, computed from the medians of one. Nothing if one of them was not measured. */
export function arithmeticOf(replicas: number, costs: Costs): readonly string[] {
  const medianOf = (samples: Samples) => (isNotRun(samples) ? Number.NaN : median(samples))
  const [nginxUs, replicaUs, replicaMB] = [costs.nginxUs, costs.replicaUs, costs.replicaMB].map(medianOf)
  if (!(nginxUs && replicaUs && replicaMB)) return []
  const calls = digits.format((replicas * 1e6) / replicaUs)
  const cores = digits.format((replicas * nginxUs) / replicaUs)
  const memory = digits.format((replicas * replicaMB) / 1_024)
  return [
    `Computed from one replica: ${replicas} replicas, each on a core of its own, serve ${calls} calls a second and take ${memory} GB. nginx needs ${cores} cores for them.`,
  ]
}
