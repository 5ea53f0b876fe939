import { anyText, wholeNumbers } from '../../../base/text/constraint.ts'
import { field, required } from '../../../control/fields/field.ts'
import type { CallStep } from '../../../control/scenario/file.ts'
import { callStep } from '../../../control/scenario/settings/walkthrough.ts'
import { shippedScenarios } from '../../../control/scenario/shipped.ts'
import { toCall } from '../../../judges/walkthrough/play.ts'
import type { RequestView } from '../../../library/client/ask-plane.ts'
import { PetMockError } from '../../../library/client/pet-mock-error.ts'
import type { Failure } from '../../../service/call/fault.ts'
import { isUnderApi } from '../../../service/operations/routes.ts'
import { createHttpClient } from '../../remote/find-server.ts'
import {
  changes,
  commandTool,
  declareTool,
  type FileTool,
  fieldsOf,
  type Input,
  keyField,
  problemsOf,
  reads,
  routeOf,
  type Tool,
  type ToolCall,
} from './tool.ts'

const { call, key, headers, body } = callStep.fields
const requestFields = { call, key: keyField(key), headers, body }

/** The longest body, in bytes, and the longest wait for a response, in milliseconds. */
const longestBody = 65_536
const patienceMs = 30_000

/** Node sets these, or they would lead to another server. */
const refusedHeaders = /^(?:host|content-length|transfer-encoding|connection|upgrade|expect|te|trailer)$/i

export const sendRequest = declareTool({
  name: 'send_request',
  about:
    'Sends one request to the API of the server, and returns its response: status, headers and body. Use it to see what a client would get. The request counts against the quota of its key and appears in list_requests.',
  hints: changes(false),
  fields: requestFields,
  problems: input => [...problemsOf(requestFields, input), ...problemsOfCall(input)],
  calls: 'getScenario',
  act: async (input, toolCall) => {
    const { origin, pathname } = new URL(toolCall.admin)
    const step = toCall(input as Pick<CallStep, 'call' | 'headers' | 'body'>, await keyFor(input, toolCall))
    const target = `${pathname.replace(/\/__admin$/, '')}${step.target}`
    const { send, close } = createHttpClient(new URL(origin))
    try {
      const answer = await send({ ...step, target }, patienceMs)
      if ('fails' in answer) return { fails: answer.fails, about: failures[answer.fails] }
      const { status, headers, text } = answer
      return { status, headers, body: text, bodyBytes: Buffer.byteLength(text) }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new PetMockError('unreachable', `The server did not answer: ${reason}. Is it still running?`)
    } finally {
      close()
    }
  },
})

const failures: Readonly<Record<Failure, string>> = {
  reset: 'The connection was reset.',
  empty: 'The connection was closed before the response.',
  truncate: 'The connection was closed within the response.',
  malformed: 'The response cannot be read.',
  hang: `No whole response came within ${patienceMs / 1_000} s.`,
}

function problemsOfCall({ call, headers, body }: Input): readonly string[] {
  const path = `${call}`.replace(/^\S* /, '').replace(/\?.*$/s, '')
  // A path with `..` could lead out of the API behind another server.
  const hasDots = path.split('/').some(segment => /^(?:\.|%2e){1,2}$/i.test(segment))
  const names = typeof headers === 'object' && headers !== null ? Object.keys(headers) : []
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '')
  return [
    ...(isUnderApi(path) && !hasDots ? [] : ['call: expected a path of the API, such as GET /v1/pets']),
    ...names
      .filter(name => refusedHeaders.test(name))
      .map(name => `headers.${name}: this header is set for you`),
    ...(Buffer.byteLength(text) > longestBody ? [`body: longer than ${longestBody} bytes`] : []),
    ...(holdsUnsafeInteger(body)
      ? [
          'body: a number beyond 2^53 is not exact here. Write the body as text: "{\\"categoryId\\":9007199254740993}"',
        ]
      : []),
  ]
}

function holdsUnsafeInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsUnsafeInteger)
}

/** The key that the agent names, else that of the scenario, in the sandbox of the call. */
async function keyFor({ key }: Input, { askKnown, sandbox }: ToolCall): Promise<string | null> {
  if (key === null) return null
  const name = typeof key === 'string' ? key : (await askKnown('getScenario')).key
  return sandbox === undefined || name.includes('+') ? name : `${name}+${sandbox}`
}

const numbers = wholeNumbers('the number of a call', 1)
const boxFields = {
  file: required(anyText, 'The file, such as a test or CI left.', ['run.petbox']),
  from: field(numbers, 'The first call to show, by its number in the box. Default: the first.', [37]),
  limit: field(wholeNumbers('a whole number of calls from 1 to 100', 1, 100), 'Default: 20.', [20]),
}

const showBox: FileTool = {
  name: 'show_box',
  about:
    'Reads the recording of a run (a .petbox file) and shows its calls, with the reason for each response. Use it after a test failed.',
  hints: reads,
  fields: boxFields,
  problems: input => problemsOf(boxFields, input),
  act: async ({ file, from = 1, limit = 20 }) => {
    const { openBox } = await import('../../box/open-box.ts')
    const { readRun, showCall } = await import('../box/read.ts')
    const opening = await openBox(String(file), undefined)
    if (!opening.ok) throw new PetMockError('invalid_body', opening.complaints.join('\n'))
    const { header, end } = opening.value.box
    const calls: object[] = []
    for await (const { line } of readRun(opening.value)) {
      if (line !== undefined && line.played.number >= Number(from)) calls.push(showCall(line))
      if (calls.length === Number(limit)) break
    }
    return { version: header.version, first: header.from, last: end - 1, calls }
  },
}

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
