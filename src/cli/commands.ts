import type { Commands } from './arguments/command.ts'
import { box } from './commands/box/command.ts'
import { check } from './commands/check/command.ts'
import { comparePlans } from './commands/compare-plans/command.ts'
import { exec } from './commands/exec/command.ts'
import { fleet } from './commands/fleet/command.ts'
import { init } from './commands/init.ts'
import { drift, learn } from './commands/learn/command.ts'
import { mcp } from './commands/mcp/command.ts'
import { proxy } from './commands/proxy/command.ts'
import { rehearse } from './commands/rehearse/command.ts'
import { serve } from './commands/serve.ts'
import { completionOf } from './completion/completion.ts'
import { clock, keys, pets, reset, rules, sandboxes, snapshot } from './remote/plane-commands.ts'
import { health, ps, stop } from './remote/processes.ts'
import { conduct, requests } from './remote/requests.ts'
import { scenarios } from './walkthroughs/scenarios.ts'

const completion = completionOf(() => commands)

export const commands: Commands = [
  ...section('Serve:', serve, ps, stop, health),
  ...section(
    'Look at a running server, and change it:',
    requests,
    clock,
    keys,
    pets,
    rules,
    sandboxes,
    reset,
    snapshot,
  ),
  ...section('Test my client:', exec, conduct, rehearse, fleet, comparePlans, box),
  ...section('Check the service:', check, proxy, learn, drift),
  ...section('Prepare:', init, scenarios, completion, mcp),
]

function section(title: string, ...listed: Commands): Commands {
  return listed.map(one => ({ ...one, section: title }))
}
