import * as z from 'zod'
import { parseDuration } from '../../../base/time/duration.ts'
import { duration } from '../../../control/files/shapes.ts'
import { explain } from '../../../judges/inspection/explain.ts'
import type { Filter } from '../../../judges/inspection/filter.ts'
import { writeHar } from '../../../judges/inspection/har.ts'
import { findRequests, type SearchScope, textOf } from '../../../judges/inspection/requests.ts'
import { showExchange } from '../../../judges/inspection/view.ts'
import { command } from '../routing/command-route.ts'
import { json, refusal } from '../routing/replies.ts'
import { type Asked, type Route, route } from '../routing/route.ts'
import { findWorld, findWorlds } from '../routing/sandbox.ts'
import { numberText } from '../routing/shapes.ts'
import { waitForRequests } from '../routing/wait-for-requests.ts'
import { filterFields } from './filter-fields.ts'
import { explainedRequest, requestCount, requestList, waited } from './request-shapes.ts'

const tag = 'Requests'

const most = Number.MAX_SAFE_INTEGER

const keys = z
  .enum(['masked', 'shown'])
  .meta({ description: 'Whether API keys are masked, as they are unless it says `shown`.' })
  .optional()

const limit = numberText('a whole number of requests (1 or more)', 1, most)
  .meta({ description: 'At most so many, the newest. Without it: all.', examples: [20] })
  .optional()

/** The places that a route is asked about, or its refusal. */
function placesOf({ controls, sandbox, now }: Asked<unknown, unknown, unknown>): SearchScope | Response {
  const worlds = findWorlds(controls.emulator.sandboxes, sandbox)
  return worlds instanceof Response ? worlds : { worlds, now }
}

type Listing = Filter & { readonly limit?: number | undefined }

function list(asked: Asked<unknown, unknown, unknown>, { limit, ...filter }: Listing, showsKeys: boolean) {
  const places = placesOf(asked)
  if (places instanceof Response) return places
  const { exchanges, ...meta } = findRequests(places, filter, limit)
  const requests = exchanges.map(exchange => showExchange(exchange, textOf(exchange, places, showsKeys)))
  return json({ requests, meta })
}

const waitFields = {
  count: numberText('a whole number of requests (1 or more)', 1, most)
    .meta({ description: 'How many must have come. Default: 1.', examples: [3] })
    .optional(),
  timeout: duration()
    .refine(text => (parseDuration(text) ?? 0) <= longestWait, { error: 'at most 10m' })
    .meta({ description: 'How long it waits, of real time, 10m at most. Default: 10s.', examples: ['5s'] })
    .optional(),
}

const longestWait = 600_000
const usualWait = 10_000

export const requestRoutes: readonly Route[] = [
  route({
    id: 'listRequests',
    method: 'GET',
    path: '/requests',
    tag,
    about: 'Lists the requests that fit, the newest first.',
    sandbox: 'any',
    query: { ...filterFields, limit, keys },
    answer: { about: 'The requests, and what the journal holds.', schema: requestList },
    refusals: ['not_found'],
    serve: asked => {
      const { keys, ...listing } = asked.query
      return list(asked, listing, keys === 'shown')
    },
  }),
  command({
    id: 'clearRequests',
    method: 'DELETE',
    path: '/requests',
    tag,
    do: 'clearRequests',
    answer: { about: 'What is left: nothing.', schema: z.strictObject({ requests: z.array(z.never()) }) },
    show: () => ({ requests: [] }),
  }),
  route({
    id: 'findRequests',
    method: 'POST',
    path: '/requests/find',
    tag,
    about: 'Lists the requests that fit, as `GET /requests` does, by a body instead of a query.',
    sandbox: 'any',
    query: { keys },
    body: z.strictObject({ ...filterFields, limit }),
    answer: { about: 'The requests, and what the journal holds.', schema: requestList },
    refusals: ['not_found'],
    serve: asked => list(asked, asked.body, asked.query.keys === 'shown'),
  }),
  route({
    id: 'countRequests',
    method: 'POST',
    path: '/requests/count',
    tag,
    about: 'Counts the requests that fit.',
    sandbox: 'any',
    body: z.strictObject(filterFields),
    answer: { about: 'How many.', schema: requestCount },
    refusals: ['not_found'],
    serve: asked => {
      const places = placesOf(asked)
      return places instanceof Response ? places : json({ count: findRequests(places, asked.body).total })
    },
  }),
  route({
    id: 'waitForRequests',
    method: 'POST',
    path: '/requests/wait',
    tag,
    about:
      'Answers when so many requests that fit have come, those in the journal included, or when time is up. The sandbox may be one that its first request makes.',
    sandbox: 'any',
    body: z.strictObject({ ...filterFields, ...waitFields }),
    answer: { about: 'How many there are now.', schema: waited },
    serve: async asked => {
      const { count = 1, timeout, ...filter } = asked.body
      const timeoutMs = timeout === undefined ? usualWait : (parseDuration(timeout) ?? usualWait)
      const { controls, sandbox, now, waiting } = asked
      const wanted = { sandbox, filter, count, timeoutMs }
      return json(await waitForRequests(controls.emulator, wanted, now, waiting))
    },
  }),
  route({
    id: 'getRequest',
    method: 'GET',
    path: '/requests/{id}',
    tag,
    about: 'Shows a request, and explains why it was answered as it was.',
    sandbox: 'one',
    params: {
      id: numberText('the id of a request', 1, most).meta({ description: 'Its id.', examples: [17] }),
    },
    query: { keys },
    answer: { about: 'The request with its explanation.', schema: explainedRequest },
    refusals: ['not_found'],
    serve: ({ controls, params: { id }, query, sandbox }) => {
      const world = findWorld(controls.emulator.sandboxes, sandbox)
      if (world instanceof Response) return world
      const exchange = [...world.journal].find(candidate => candidate.id === id)
      if (exchange === undefined) return notKept(id, world)
      const text = textOf(exchange, { worlds: [world] }, query.keys === 'shown')
      return json({ ...showExchange(exchange, text), explanation: explain(exchange, world.journal, text) })
    },
  }),
  route({
    id: 'getRequestsHar',
    method: 'GET',
    path: '/requests.har',
    tag,
    about: 'Gives the requests that fit as an HTTP archive (HAR 1.2), which browsers open.',
    sandbox: 'any',
    query: { ...filterFields, limit, keys },
    answer: {
      about: 'The archive, the oldest request first.',
      schema: z.looseObject({ log: z.looseObject({}) }),
    },
    refusals: ['not_found'],
    serve: asked => {
      const places = placesOf(asked)
      if (places instanceof Response) return places
      const { keys, limit, ...filter } = asked.query
      const { exchanges, evicted } = findRequests(places, filter, limit)
      const show = (exchange: (typeof exchanges)[number]) => textOf(exchange, places, keys === 'shown')
      const har = writeHar(exchanges.toReversed(), show, asked.controls.version, evicted)
      return json(har, 200, { 'Content-Disposition': 'attachment; filename="pet-mock.har"' })
    },
  }),
]

function notKept(id: number, world: SearchScope['worlds'][number]): Response {
  const { sandbox, firstExchange, nextExchange, journal } = world
  if (id >= nextExchange) {
    const newest =
      nextExchange === firstExchange ? 'There is none yet.' : `The newest is ${nextExchange - 1}.`
    return refusal('not_found', `There is no request ${id} in the sandbox ${sandbox}. ${newest}`)
  }
  const why =
    id < firstExchange
      ? 'the sandbox has been started anew since'
      : `the journal holds the last ${journal.capacity}`
  return refusal('not_found', `Request ${id} is no longer kept: ${why}.`)
}
