import type { Command, CommandGroup } from './arguments/command.ts'
import { check } from './commands/check/command.ts'
import { exec } from './commands/exec/command.ts'
import { init } from './commands/init.ts'
import { mcp } from './commands/mcp/command.ts'
import { proxy } from './commands/proxy/command.ts'
import { rehearse } from './commands/rehearse/command.ts'
import { replay } from './commands/replay/command.ts'
import { serve } from './commands/serve.ts'
import { completionOf } from './completion/completion.ts'
import { clock, keys, pets, reset, rules, scenario, snapshot, state } from './remote/plane-commands.ts'
import { health, ps, stop } from './remote/processes.ts'
import { conduct, requests } from './remote/requests.ts'
import { scenarios } from './walkthroughs/scenarios.ts'

export const commands: readonly (Command | CommandGroup)[] = [
  ...section('Start a server:', serve, exec, proxy),
  ...section('Look at a running server:', ps, requests, conduct, health),
  ...section('Change a running server:', scenario, clock, keys, pets, rules, reset, snapshot, state, stop),
  ...section('Check:', rehearse, replay, scenarios, check),
  ...section(
    'Set up:',
    init,
    completionOf(() => commands),
    mcp,
  ),
]

function section(
  title: string,
  ...listed: readonly (Command | CommandGroup)[]
): readonly (Command | CommandGroup)[] {
  return listed.map(one => ({ ...one, section: title }))
}
