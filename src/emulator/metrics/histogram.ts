/** Upper bounds in seconds, ascending: from an undelayed answer to a long delay. */
const latencyBounds: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
]

/** Counts latencies by upper bounds. */
export class Histogram {
  readonly bounds = latencyBounds
  readonly #counts = latencyBounds.map(() => 0)
  count = 0
  sum = 0

  observe(value: number): void {
    this.count += 1
    this.sum += value
    const { bounds } = this
    for (let index = 0; index < bounds.length; index += 1) {
      if (value > (bounds[index] ?? 0)) continue
      this.#counts[index] = (this.#counts[index] ?? 0) + 1
      return
    }
  }

  /** For each bound, how many values were not above it. */
  cumulative(): number[] {
    let sum = 0
    return this.#counts.map(count => {
      sum += count
      return sum
    })
  }
}
