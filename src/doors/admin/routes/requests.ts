import { anyDuration, type Constraint } from '../../../base/text/constraint.ts'
import { parseDuration } from '../../../base/time/duration.ts'
import { sourcesBehind } from '../../../control/profile/serve.ts'
import type { Exchange } from '../../../emulator/journal/exchange.ts'
import { createKnownKeys, defaultSandbox, type Sandboxes } from '../../../emulator/worlds/sandboxes.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import { explain } from '../../../judges/inspection/explain.ts'
import type { Filter } from '../../../judges/inspection/filter.ts'
import { writeHar } from '../../../judges/inspection/har.ts'
import {
  evictedFrom,
  findRequests,
  read,
  showOf,
  writeRequests,
} from '../../../judges/inspection/requests.ts'
import { showExchange, showRow } from '../../../judges/inspection/view.ts'
import type { Secrets } from '../../../service/keys/mask.ts'
import { json, refusal } from '../routing/replies.ts'
import {
  choiceField,
  needed,
  numbersOrDigits,
  partOf,
  requestNumber,
  textField,
} from '../routing/request-fields.ts'
import { command, type Route, type RouteRequest, route } from '../routing/route.ts'
import { finishInTurns, jsonInTurns } from '../routing/turns.ts'
import * as view from '../routing/views.ts'
import { waitForRequests } from '../routing/wait-for-requests.ts'
import { explainedRequest, filterFields, listView, requestList } from './request-views.ts'

const count = view.count('Matching requests.')
const evicted = view.count('Earlier requests that the journal dropped to make room: they are not counted.')
const reached = view.flag('Whether enough requests came; false: timeout.')

const keys = choiceField(
  ['masked', 'shown'],
  'Whether API keys and other secrets are masked. Default: masked.',
)

const limit = requestNumber('Maximum number of requests, the newest of those that match. Default: all.', 20)

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
  readonly view?: 'whole' | 'rows' | undefined
}

/** The requests that match, and a function that shows the texts of each. */
async function search({ worlds, now, waiting, controls }: RouteRequest, wanted: Search) {
  const { limit, keys, view: _view, ...filter } = wanted
  const found = await finishInTurns(findRequests({ worlds, now }, filter, limit), waiting)
  const { sandboxes } = controls.emulator
  const secrets = keys === 'shown' ? undefined : sandboxes.secrets
  const known = { keys: createKnownKeys(sandboxes) }
  const show = (exchange: Exchange) => showOf(exchange, known, secrets)
  return { found, show, journals: worlds.map(({ journal }) => journal) }
}

async function list(request: RouteRequest, wanted: Search): Promise<Response> {
  const { found, show, journals } = await search(request, wanted)
  const showOne = wanted.view === 'rows' ? showRow : showExchange
  return jsonInTurns(writeRequests(found, show, journals, showOne), request.waiting)
}

export const requestRoutes: readonly Route[] = [
  route({
    id: 'listRequests',
    readsJournal: true,
    on: ['GET', '/requests'],
    about: 'Lists the requests that match, the newest last.',
    sandbox: 'any',
    query: { ...filterFields, limit, keys, view: listView },
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
    readsJournal: true,
    on: ['POST', '/requests/find'],
    about: 'Lists the requests that match, like `GET /requests`, with the filter in the body.',
    sandbox: 'any',
    query: { keys, view: listView },
    body: partOf({ ...filterFields, limit }),
    answer: { about: 'The requests, and the state of the journal.', schema: requestList },
    serve: request => list(request, { ...request.body, ...request.query }),
  }),
  route({
    id: 'countRequests',
    readsJournal: true,
    on: ['POST', '/requests/count'],
    about: 'Counts the requests that match.',
    sandbox: 'any',
    body: partOf(filterFields),
    answer: {
      about: 'The number of requests that the journal still has.',
      schema: view.object({ count, evicted }),
    },
    serve: async request => {
      const { found, journals } = await search(request, request.body)
      return json({ count: found.total, evicted: evictedFrom(journals) })
    },
  }),
  route({
    id: 'waitForRequests',
    readsJournal: true,
    on: ['POST', '/requests/wait'],
    about: 'Waits until `count` matching requests exist, earlier ones included, or until the timeout.',
    sandbox: 'named',
    body: partOf({ ...filterFields, ...waitFields }),
    answer: { about: 'The number of requests at the end.', schema: view.object({ reached, count }) },
    serve: async ({ controls: { emulator }, sandbox = defaultSandbox, now, waiting, body }) => {
      const { count = 1, timeout = '10s', ...filter } = body
      const timeoutMs = parseDuration(timeout) ?? 0
      return json(await waitForRequests(emulator, sandbox, filter, count, timeoutMs, now, waiting))
    },
  }),
  route({
    id: 'getRequest',
    readsJournal: true,
    on: ['GET', '/requests/{id}'],
    about: 'Returns a request, and explains its response.',
    sandbox: 'one',
    params: { id: needed(requestIds, Number, "The request's id.", 17) },
    query: { keys },
    answer: { about: 'The request with its explanation.', schema: explainedRequest },
    serve: ({ world, params: { id }, query, controls }) => {
      const place = world.journal.placeOf(id)
      const exchange = place === undefined ? undefined : world.journal.at(place)
      if (exchange === undefined) return refusal('not_found', explainMissing(id, world))
      const { sandboxes } = controls.emulator
      const secrets = query.keys === 'shown' ? undefined : sandboxes.secrets
      return json(explainRequest(exchange, world, sandboxes, secrets))
    },
  }),
  route({
    id: 'getRequestsHar',
    readsJournal: true,
    on: ['GET', '/requests.har'],
    about: 'Returns the requests that match as an HTTP archive (HAR 1.2), which browsers can open.',
    sandbox: 'any',
    query: { ...filterFields, limit, keys },
    answer: { about: 'The archive, the oldest request first.', schema: view.of('object') },
    serve: async request => {
      const { found, show, journals } = await search(request, request.query)
      const exchanges = read(found.places)
      const har = writeHar(exchanges, show, request.controls.version, () => evictedFrom(journals))
      const headers = { 'Content-Disposition': 'attachment; filename="pet-mock.har"' }
      return jsonInTurns(har, request.waiting, headers)
    },
  }),
]

/** A request of a world's journal. `secrets`: undefined to show them. */
export function explainRequest(
  exchange: Exchange,
  { journal, scenario }: World,
  sandboxes: Sandboxes,
  secrets: Secrets | undefined,
) {
  const show = showOf(exchange, { keys: createKnownKeys(sandboxes) }, secrets)
  const explained = explain(exchange, journal.newestFirst(), show.text)
  const sentences = [...explained.sentences, ...sourcesBehind(scenario, exchange.trace.code)]
  return { ...showExchange(exchange, show), explanation: { ...explained, sentences } }
}

function explainMissing(id: number, { sandbox, firstExchange, nextExchange, journal }: World): string {
  if (id < firstExchange) return `Request ${id} is gone: the sandbox was restarted after it.`
  if (id < nextExchange)
    return `Request ${id} is gone: the journal keeps the last ${journal.capacity} requests, or fewer if all sandboxes together take too many bytes.`
  const newest =
    nextExchange === firstExchange ? 'The journal is empty.' : `The newest is ${nextExchange - 1}.`
  return `There is no request ${id} in the sandbox ${sandbox}. ${newest}`
}
