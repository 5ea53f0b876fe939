import { inTheEmulator } from './equivalents/emulator.ts'
import type { Equivalent } from './equivalents/equivalent.ts'
import { inTheJournal } from './equivalents/journal.ts'
import { inTheJudges } from './equivalents/judges.ts'
import { inTheKeys } from './equivalents/keys.ts'
import { inTheService } from './equivalents/service.ts'

export const equivalents: readonly Equivalent[] = [
  ...inTheKeys,
  ...inTheService,
  ...inTheJournal,
  ...inTheEmulator,
  ...inTheJudges,
]
