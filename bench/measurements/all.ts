import type { Measurement } from '../measurement.ts'
import { doors } from './doors.ts'
import { growthKeys, growthSandboxes } from './growth/callers.ts'
import { growthJournal } from './growth/journal.ts'
import { growthPets } from './growth/pets.ts'
import { growthRules } from './growth/rules.ts'
import { inProcess } from './in-process.ts'
import { install } from './install.ts'
import { keys } from './keys.ts'
import { mix } from './mix.ts'
import { plane } from './plane.ts'
import { proxy } from './proxy.ts'
import { reads } from './reads.ts'
import { refused } from './refused.ts'
import { rules } from './rules.ts'
import { sandboxes } from './sandboxes.ts'
import { scaleOut } from './scale-out.ts'
import { sizes } from './sizes.ts'
import { start } from './start.ts'

/** In the order in which they run. */
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
  growthPets,
  growthKeys,
  growthSandboxes,
  growthJournal,
  growthRules,
  inProcess,
  doors,
  install,
]
