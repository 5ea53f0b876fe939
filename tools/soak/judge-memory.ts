import { median } from '../bench/statistics.ts'
import type { Check } from './judge-counts.ts'

export interface Sample {
  readonly calls: number
  /** Bytes that are alive after a collection of garbage, buffers included. */
  readonly alive: number
  /** Bytes of the process that are in memory. */
  readonly resident: number
}

const MB = 2 ** 20
/** The first part of a run fills caches and compiles code; as many calls fill the journals. */
const warmUp = { share: 0.25, calls: 12_000 }
/** The smallest object takes 16 bytes: a leak of one in each call is steeper than this. */
const flatBytesPerCall = 8
/** Less than this in the whole run can be code that V8 compiles late. */
const noise = 4 * MB
/** What the process may take from the system beyond the quarter after the warm-up. V8 and malloc return little of it. */
const residentShare = 1.25

/**
 * Memory is flat if what is alive after a collection grows by at most 8 bytes a call, or by 4 MB in the whole run, and if
 * the process takes no more than a quarter more from the system at the end.
 */
export function judgeMemory(all: readonly Sample[]): readonly Check[] {
  const last = all.at(-1)?.calls ?? 0
  const samples = all.filter(({ calls }) => calls >= Math.max(last * warmUp.share, warmUp.calls))
  if (samples.length < 8 || samples.some(({ alive }) => Number.isNaN(alive))) {
    return [{ what: 'memory', found: `${samples.length} samples are too few`, holds: false }]
  }
  const slope = slopeOf(samples.map(({ calls, alive }) => [calls, alive]))
  const span = last - (samples[0]?.calls ?? 0)
  const allowed = Math.max(flatBytesPerCall * span, noise)
  const alive = median(samples.slice(-4).map(sample => sample.alive))
  const third = Math.floor(samples.length / 3)
  const [before, after] = [samples.slice(0, third), samples.slice(-third)].map(part =>
    median(part.map(sample => sample.resident)),
  )
  const growth = (after ?? Number.NaN) / (before ?? Number.NaN)
  return [
    {
      what: 'memory that is alive',
      found: `${signed(slope)} bytes a call, ${inMB(slope * span)} in the run; at most ${inMB(allowed)} is flat; ${inMB(alive)} at the end`,
      holds: slope * span <= allowed,
    },
    {
      what: 'memory of the process',
      found: `${inMB(before ?? Number.NaN)}, then ${inMB(after ?? Number.NaN)}; up to ${residentShare} times is flat`,
      holds: growth <= residentShare,
    },
  ]
}

/** By least squares. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (index: 0 | 1) => points.reduce((sum, point) => sum + point[index], 0) / points.length
  const [meanX, meanY] = [mean(0), mean(1)]
  const up = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  return up / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
}

const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`
const inMB = (bytes: number) => `${bytes < 0 ? '−' : ''}${(Math.abs(bytes) / MB).toFixed(1)} MB`
