import type { Command, CommandGroup } from './command.ts'
import { exec } from './exec.ts'
import { init } from './init.ts'
import { scenarios } from './scenarios.ts'
import { serve } from './serve.ts'

/** Every command; each is a file of its own. */
export const commands: readonly (Command | CommandGroup)[] = [serve, exec, scenarios, init]
