import { check } from './check.ts'
import { clock } from './clock.ts'
import type { Command, CommandGroup } from './command.ts'
import { conduct } from './conduct.ts'
import { exec } from './exec.ts'
import { init } from './init.ts'
import { keys } from './keys.ts'
import { proxy } from './proxy.ts'
import { requests } from './requests.ts'
import { reset } from './reset.ts'
import { scenarios } from './scenarios.ts'
import { serve } from './serve.ts'
import { snapshot } from './snapshot.ts'

/** Every command; each is a file of its own. */
export const commands: readonly (Command | CommandGroup)[] = [
  serve,
  exec,
  scenarios,
  check,
  proxy,
  init,
  clock,
  keys,
  requests,
  conduct,
  snapshot,
  reset,
]
