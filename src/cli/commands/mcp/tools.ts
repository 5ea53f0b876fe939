import { wholeNumbers } from '../../../base/text/constraint.ts'
import { field } from '../../../control/fields/field.ts'
import { shippedScenarios } from '../../../control/scenario/shipped.ts'
import type { RequestView } from '../../../library/client/ask-plane.ts'
import { PetMockError } from '../../../library/client/pet-mock-error.ts'
import { sendRequest } from './send-request.ts'
import { showBox } from './show-box.ts'
import { commandTool, declareTool, fieldsOf, reads, routeOf, type Tool } from './tool.ts'

const getStatus = declareTool({
  name: 'get_status',
  about:
    'Returns what the server is doing: its base URL, scenario, clock, API keys with their remaining calls and bans, rules and sandboxes. Call it first.',
  hints: reads,
  calls: 'getScenario',
  act: async (_input, { admin, ask }) => {
    const [{ version }, scenario, clock, { sandboxes }, { keys }, { rules }] = await Promise.all([
      ask('getHealth'),
      ask('getScenario'),
      ask('getClock'),
      ask('listSandboxes', {}, { sandbox: undefined }),
      ask('listKeys', { keys: 'masked' }),
      ask('listRules'),
    ])
    const url = admin.replace(/\/__admin$/, '/v1')
    return { url, version, scenario, clock, keys, rules, sandboxes }
  },
})

const { limit: _limit, ...filter } = fieldsOf(routeOf('findRequests').body)
const limit = field(
  wholeNumbers('a whole number of requests from 1 to 100', 1, 100),
  'Maximum number of requests, the newest of those that match. Default: 20.',
  [20],
)

const listRequests = declareTool({
  name: 'list_requests',
  about:
    'Lists the requests that clients sent, the newest last, each with its response in short. All fields are filters. explain_request shows one in full.',
  hints: reads,
  calls: 'findRequests',
  fields: { ...filter, limit },
  act: async ({ limit = 20, ...input }, { ask }) => {
    const { requests, meta } = await ask('findRequests', { ...input, limit })
    return { meta, requests: requests.map(inShort) }
  },
})

/** What a list shows of a request, without what is absent. */
function inShort(request: RequestView) {
  const isThere = (value: unknown) =>
    value !== null && value !== false && !(Array.isArray(value) && value.length === 0)
  return only(
    request,
    (name, value) => !/^(?:request|response|limit|receivedAt|path)$/.test(name) && isThere(value),
  )
}

function only(answer: object, isShown: (name: string, value: unknown) => boolean) {
  return Object.fromEntries(Object.entries(answer).filter(([name, value]) => isShown(name, value)))
}

const { id } = fieldsOf(routeOf('getRequest').params)

const explainRequest = declareTool({
  name: 'explain_request',
  about:
    'Explains why a request got its response: sentences, the values that did not match, both messages with headers and bodies, and the quota. Use it after a call failed.',
  hints: reads,
  calls: 'getRequest',
  fields: {
    ...(id && { id: { ...id, required: false, about: `${id.about} Default: the newest request.` } }),
  },
  act: async (input, { ask }) => {
    const id = input.id ?? (await ask('listRequests', { limit: 1 })).requests[0]?.id
    if (id === undefined)
      throw new PetMockError('not_found', 'There is nothing to explain: no client has sent a request yet.')
    const { explanation, ...request } = await ask('getRequest', { id })
    return { explanation, ...request }
  },
})

const listFindings = declareTool({
  name: 'get_conduct',
  about:
    'Judges how the clients behaved: calls before the end of Retry-After, bans, deprecated operations and more. Each finding has its requests and a remedy. A client that follows the rules has none.',
  hints: reads,
  calls: 'getConduct',
  act: async (_input, { ask }) =>
    only(await ask('getConduct'), name => !/^(?:judge|title|checks|flights)$/.test(name)),
})

/** The tools of `pet-mock mcp`, in the order of their use. */
export const tools: readonly Tool[] = [
  getStatus,
  commandTool({
    name: 'use_scenario',
    about: `Puts the server into a situation: a shipped scenario by its name, or one of your own as an object. It restarts the sandbox. Shipped: ${[...shippedScenarios.keys()].join(', ')}.`,
    do: ['useScenario'],
    isIdempotent: true,
  }),
  sendRequest,
  listRequests,
  explainRequest,
  listFindings,
  commandTool({
    name: 'change_clock',
    about:
      'Moves, freezes or resets the clock of the server, so that nobody waits for a window, a ban or a removal date.',
    do: ['advanceClock', 'freezeClock', 'resumeClock', 'resetClock'],
    isIdempotent: false,
  }),
  commandTool({
    name: 'change_keys',
    about: 'Adds, changes, deletes, bans or unbans an API key: its plan, used quota, limits, expiry.',
    do: ['addKey', 'changeKey', 'banKey', 'unbanKey', 'deleteKey'],
    isIdempotent: false,
  }),
  commandTool({
    name: 'change_rules',
    about:
      'Adds a rule that injects a status, a delay or a broken connection into matching calls, or changes or deletes one by its name.',
    do: ['addRule', 'changeRule', 'deleteRule'],
    isIdempotent: false,
  }),
  commandTool({
    name: 'reset',
    about: 'Restarts the scenario: pets, counters, bans, clock and rules, with an empty list of requests.',
    do: ['reset'],
    isIdempotent: true,
  }),
  showBox,
]
