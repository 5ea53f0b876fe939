import type { Measurement } from '../measurement.ts'
import { keys, mix, refused, sandboxes } from './beside-bare.ts'
import { doors, inProcess } from './doors.ts'
import { growth } from './growth.ts'
import { install } from './install.ts'
import { proxy } from './proxy.ts'
import { reads } from './reads.ts'
import { scaleOut } from './scale-out.ts'
import { sizes } from './sizes.ts'
import { start } from './start.ts'
import { plane, rules } from './twins.ts'

export const measurements: readonly Measurement[] = [
  reads,
  mix,
  refused,
  keys,
  sandboxes,
  rules,
  plane,
  proxy,
  scaleOut,
  start,
  sizes,
  ...growth,
  inProcess,
  doors,
  install,
]
