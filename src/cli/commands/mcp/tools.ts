import { shippedScenarios } from '../../../control/scenario/shipped.ts'
import { commandTool } from './command-tool.ts'
import { explainRequest, getStatus, listFindings, listRequests } from './inspect.ts'
import { sendRequest } from './send-request.ts'
import type { Tool } from './tool.ts'

/** The tools of `pet-mock mcp`, in the order of their use. */
export const tools: readonly Tool[] = [
  getStatus,
  commandTool({
    name: 'load_scenario',
    about: `Puts the server into a situation: a shipped scenario by its name, or one of your own as an object. It restarts the sandbox. Shipped: ${[...shippedScenarios.keys()].join(', ')}.`,
    do: ['setScenario'],
    isIdempotent: true,
  }),
  sendRequest,
  listRequests,
  explainRequest,
  listFindings,
  commandTool({
    name: 'move_clock',
    about:
      'Moves, freezes or resets the clock of the server, so that nobody waits for a window, a ban or a removal date.',
    do: ['advanceClock', 'freezeClock', 'resumeClock', 'resetClock'],
    isIdempotent: false,
  }),
  commandTool({
    name: 'set_key',
    about: 'Adds, changes, deletes, bans or unbans an API key: its plan, used quota, limits, expiry.',
    do: ['addKey', 'changeKey', 'banKey', 'unbanKey', 'deleteKey'],
    isIdempotent: false,
  }),
  commandTool({
    name: 'add_rule',
    about:
      'Adds a rule that injects a status, a delay or a broken connection into matching calls, or removes a rule by its name.',
    do: ['addRule', 'removeRule'],
    isIdempotent: false,
  }),
  commandTool({
    name: 'reset',
    about: 'Restarts the scenario: pets, counters, bans, clock and rules, with an empty list of requests.',
    do: ['reset'],
    isIdempotent: true,
  }),
]
