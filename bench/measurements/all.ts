import type { Measurement } from '../measurement.ts'
import { inProcess } from './in-process.ts'

/** In the order in which they run. */
export const measurements: readonly Measurement[] = [inProcess]
