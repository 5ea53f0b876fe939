import { draw } from './random.ts'

/** The 99th percentile of the standard normal distribution. */
const z99 = 2.3263478740408408

/** The n-th draw of a lognormal distribution, by its median and its 99th percentile. */
export function drawLognormal(median: number, p99: number, seed: number, n: number): number {
  if (median === 0) return 0
  // The Box-Muller transform. A draw may be 0, which has no logarithm; it is never 1.
  const normal =
    Math.sqrt(-2 * Math.log(1 - draw(seed, 2 * n))) * Math.cos(2 * Math.PI * draw(seed, 2 * n + 1))
  return median * (p99 / median) ** (normal / z99)
}
