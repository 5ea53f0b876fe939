import { wholeNumbers } from '../../../base/text/constraint.ts'
import { field } from '../../../control/fields/field.ts'
import type { ConductReport } from '../../../judges/conduct/conduct-report.ts'
import type { RequestView } from '../../../judges/inspection/view.ts'
import type { ExplainedRequest } from '../../../library/client/controls.ts'
import { PetMockError } from '../../../library/client/pet-mock-error.ts'
import { fieldsOf, problemsOf, reads, routeOf, sandboxOf, type Tool } from './tool.ts'

const nothing = { fields: {}, problems: (input: object) => problemsOf({}, { ...input }) }

export const getStatus: Tool = {
  ...nothing,
  name: 'get_status',
  about:
    'Returns what the server is doing: its base URL, scenario, clock, API keys with their remaining calls and bans, rules and sandboxes. Call it first.',
  hints: reads,
  sandbox: sandboxOf('getScenario'),
  act: async (_input, { admin, ask }) => {
    const [{ version }, scenario, clock, { sandboxes }, { keys }, { rules }] = await Promise.all([
      ask<{ readonly version: string }>('GET', '/health'),
      ask<object>('GET', '/scenario'),
      ask<object>('GET', '/clock'),
      ask<{ readonly sandboxes: readonly object[] }>('GET', '/sandboxes', undefined, { sandbox: undefined }),
      ask<{ readonly keys: readonly object[] }>('GET', '/keys', undefined, { keys: 'masked' }),
      ask<{ readonly rules: readonly object[] }>('GET', '/rules'),
    ])
    const url = admin.replace(/\/__admin$/, '/v1')
    return { url, version, scenario, clock, keys, rules, sandboxes }
  },
}

const { limit: _limit, ...filter } = fieldsOf(routeOf('findRequests').body)
const limit = field(
  wholeNumbers('a whole number of requests from 1 to 100', 1, 100),
  'Maximum number of requests, the newest first. Default: 20.',
  [20],
)

export const listRequests: Tool = {
  name: 'list_requests',
  about:
    'Lists the requests that clients sent, the newest first, each with its answer in short. All fields are filters. explain_request shows one in full.',
  hints: reads,
  fields: { ...filter, limit },
  sandbox: sandboxOf('findRequests'),
  problems: input => problemsOf({ ...filter, limit }, input),
  act: async ({ limit = 20, ...input }, { ask }) => {
    const { requests, meta } = await ask<{
      readonly requests: readonly RequestView[]
      readonly meta: object
    }>('POST', '/requests/find', { ...input, limit })
    return { meta, requests: requests.map(inShort) }
  },
}

/** What a list shows of a request, without what is absent. */
function inShort({
  request: _r,
  response: _a,
  limit: _l,
  receivedAt: _t,
  path: _p,
  ...request
}: RequestView) {
  const isThere = (value: unknown) =>
    value !== null && value !== false && !(Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(request).filter(([, value]) => isThere(value)))
}

const { id } = fieldsOf(routeOf('getRequest').params)
const explainFields = {
  ...(id && { id: { ...id, required: false, about: `${id.about} Default: the newest request.` } }),
}

export const explainRequest: Tool = {
  name: 'explain_request',
  about:
    'Explains why a request got its answer: sentences, the values that did not match, both messages with headers and bodies, and the quota. Use it after a call failed.',
  hints: reads,
  fields: explainFields,
  sandbox: sandboxOf('getRequest'),
  problems: input => problemsOf(explainFields, input),
  act: async (input, { ask }) => {
    const newest = () =>
      ask<{ readonly requests: readonly RequestView[] }>('GET', '/requests', undefined, { limit: 1 })
    const id = input.id ?? (await newest()).requests[0]?.id
    if (id === undefined)
      throw new PetMockError('not_found', 'There is nothing to explain: no client has sent a request yet.')
    const { explanation, ...request } = await ask<ExplainedRequest>('GET', `/requests/${id}`)
    return { explanation, ...request }
  },
}

export const listFindings: Tool = {
  ...nothing,
  name: 'list_findings',
  about:
    'Judges how the clients behaved: calls before the end of Retry-After, bans, deprecated operations and more. Each finding has its requests and a remedy. A client that follows the rules has none.',
  hints: reads,
  sandbox: sandboxOf('getConduct'),
  act: async (_input, { ask }) => {
    const {
      judge: _judge,
      title: _title,
      checks: _checks,
      flights: _flights,
      ...report
    } = await ask<ConductReport>('GET', '/conduct')
    return report
  },
}
