import { anyDuration, type Constraint } from '../../../base/text/constraint.ts'
import { parseDuration } from '../../../base/time/duration.ts'
import { required } from '../../../control/fields/field.ts'
import type { Exchange } from '../../../emulator/journal/exchange.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import { judgeWorlds } from '../../../judges/conduct/judge-worlds.ts'
import { explain } from '../../../judges/inspection/explain.ts'
import type { Filter } from '../../../judges/inspection/filter.ts'
import { writeHar } from '../../../judges/inspection/har.ts'
import { findRequests, textOf } from '../../../judges/inspection/requests.ts'
import { showExchange } from '../../../judges/inspection/view.ts'
import { command } from '../routing/command-route.ts'
import { json, refusal } from '../routing/replies.ts'
import { choiceField, numbersOrDigits, partOf, requestNumber, textField } from '../routing/request-fields.ts'
import { type Route, type RouteRequest, route } from '../routing/route.ts'
import * as view from '../routing/views.ts'
import { waitForRequests } from '../routing/wait-for-requests.ts'
import { conductReport } from './conduct-views.ts'
import { filterFields } from './filter-fields.ts'
import { explainedRequest, requestList } from './request-views.ts'

const count = view.count('Matching requests.')
const reached = view.flag('Whether enough requests came; false: timeout.')

const keys = choiceField(['masked', 'shown'], 'Whether API keys are masked. Default: masked.')

const limit = requestNumber('Maximum number of requests, the newest first. Default: all.', 20)

const waits: Constraint = {
  ...anyDuration,
  expected: 'a duration of at most 10m, such as 5s',
  accepts: value => anyDuration.accepts(value) && (parseDuration(`${value}`) ?? 0) <= 600_000,
}

const waitFields = {
  count: requestNumber('How many requests to wait for. Default: 1.', 3),
  timeout: textField(waits, 'The longest wait, in real time, up to 10m. Default: 10s.', '5s'),
}

const requestIds = numbersOrDigits('the id of a request', 1, Number.MAX_SAFE_INTEGER)

interface Search extends Filter {
  readonly limit?: number | undefined
  readonly keys?: 'masked' | 'shown' | undefined
}

/** The requests that match, and a function that shows the texts of each. */
function search({ worlds, now }: RouteRequest, { limit, keys, ...filter }: Search) {
  const show = (exchange: Exchange) => textOf(exchange, worlds, keys === 'shown')
  return { ...findRequests({ worlds, now }, filter, limit), show }
}

function list(request: RouteRequest, wanted: Search): Response {
  const { exchanges, show, ...meta } = search(request, wanted)
  return json({ requests: exchanges.map(exchange => showExchange(exchange, show(exchange))), meta })
}

export const requestRoutes: readonly Route[] = [
  route({
    id: 'listRequests',
    on: ['GET', '/requests'],
    about: 'Lists the requests that match, the newest first.',
    sandbox: 'any',
    query: { ...filterFields, limit, keys },
    answer: { about: 'The requests, and the state of the journal.', schema: requestList },
    serve: request => list(request, request.query),
  }),
  command({
    do: 'clearRequests',
    on: ['DELETE', '/requests'],
    about: 'An empty list.',
    schema: view.object({ requests: { ...view.of('array'), maxItems: 0 } }),
    show: () => ({ requests: [] }),
  }),
  route({
    id: 'findRequests',
    on: ['POST', '/requests/find'],
    about: 'Lists the requests that match, like `GET /requests`, with the filter in the body.',
    sandbox: 'any',
    query: { keys },
    body: partOf({ ...filterFields, limit }),
    answer: { about: 'The requests, and the state of the journal.', schema: requestList },
    serve: request => list(request, { ...request.body, ...request.query }),
  }),
  route({
    id: 'countRequests',
    on: ['POST', '/requests/count'],
    about: 'Counts the requests that match.',
    sandbox: 'any',
    body: partOf(filterFields),
    answer: { about: 'The number of requests.', schema: view.object({ count }) },
    serve: request => json({ count: search(request, request.body).total }),
  }),
  route({
    id: 'waitForRequests',
    on: ['POST', '/requests/wait'],
    about: 'Waits until `count` matching requests exist, earlier ones included, or until the timeout.',
    sandbox: 'named',
    body: partOf({ ...filterFields, ...waitFields }),
    answer: { about: 'The number of requests at the end.', schema: view.object({ reached, count }) },
    serve: async ({ controls, sandbox, now, waiting, body: { count = 1, timeout = '10s', ...filter } }) => {
      const timeoutMs = parseDuration(timeout) ?? 0
      const wanted = { sandbox, filter, count, timeoutMs }
      return json(await waitForRequests(controls.emulator, wanted, now, waiting))
    },
  }),
  route({
    id: 'getRequest',
    on: ['GET', '/requests/{id}'],
    about: 'Returns a request, and explains its answer.',
    sandbox: 'one',
    params: { id: { ...required(requestIds, "The request's id.", [17]), read: Number } },
    query: { keys },
    answer: { about: 'The request with its explanation.', schema: explainedRequest },
    serve: ({ world, params: { id }, query }) => {
      const exchange = [...world.journal].find(candidate => candidate.id === id)
      if (exchange === undefined) return refusal('not_found', explainMissing(id, world))
      const text = textOf(exchange, [world], query.keys === 'shown')
      return json({ ...showExchange(exchange, text), explanation: explain(exchange, world.journal, text) })
    },
  }),
  route({
    id: 'getRequestsHar',
    on: ['GET', '/requests.har'],
    about: 'Returns the requests that match as an HTTP archive (HAR 1.2), which browsers can open.',
    sandbox: 'any',
    query: { ...filterFields, limit, keys },
    answer: { about: 'The archive, the oldest request first.', schema: view.of('object') },
    serve: request => {
      const { exchanges, show, evicted } = search(request, request.query)
      const har = writeHar(exchanges.toReversed(), show, request.controls.version, evicted)
      return json(har, 200, { 'Content-Disposition': 'attachment; filename="pet-mock.har"' })
    },
  }),
  route({
    id: 'getConduct',
    on: ['GET', '/conduct'],
    about: 'Judges how clients behave, by the requests in the journal.',
    sandbox: 'any',
    query: {
      flights: choiceField(['true', 'false'], 'Whether to include the data of the charts. Default: false.'),
    },
    answer: { about: 'Findings, and the use of quotas.', schema: conductReport },
    serve: ({ worlds, query }) => json(judgeWorlds(worlds, query.flights === 'true')),
  }),
]

function explainMissing(id: number, { sandbox, firstExchange, nextExchange, journal }: World): string {
  if (id < firstExchange) return `Request ${id} is gone: the sandbox was restarted after it.`
  if (id < nextExchange)
    return `Request ${id} is gone: the journal keeps the last ${journal.capacity} requests.`
  const newest =
    nextExchange === firstExchange ? 'The journal is empty.' : `The newest is ${nextExchange - 1}.`
  return `There is no request ${id} in the sandbox ${sandbox}. ${newest}`
}
