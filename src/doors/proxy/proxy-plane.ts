import type { Exchange } from '../../emulator/journal/exchange.ts'
import { compileFilter } from '../../judges/inspection/filter.ts'
import { writeHar } from '../../judges/inspection/har.ts'
import { showExchange } from '../../judges/inspection/view.ts'
import type { Call } from '../../service/call/call.ts'
import { readTarget } from '../../service/call/target.ts'
import { createGuard, type GuardOptions } from '../admin/guard.ts'
import type { AdminPlane } from '../admin/plane.ts'
import { filterFields } from '../admin/routes/filter-fields.ts'
import { adminPath } from '../admin/routing/address.ts'
import { json, protect, refusal, refusalOf } from '../admin/routing/replies.ts'
import {
  choiceField,
  partOf,
  type RequestFields,
  requestNumber,
  type ValuesOf,
} from '../admin/routing/request-fields.ts'
import { readRequest } from '../admin/routing/route-context.ts'
import type { ProxyVerdicts } from './verdicts.ts'

export interface ProxyPlaneOptions
  extends GuardOptions,
    Pick<ProxyVerdicts, 'journal' | 'textOf' | 'conduct'> {
  /** Of the upstream. */
  readonly origin: string
  /** Of pet-mock. */
  readonly version: string
}

type Views = Readonly<Record<string, (call: Call) => Response>>

const sandbox = choiceField(['default', '*'], 'Accepted, so that clients of both planes can send it.')
const listing = {
  ...filterFields,
  limit: requestNumber('Maximum number of requests.', 20),
  keys: choiceField(['masked'], 'Keys are always masked.'),
  sandbox,
}
const conductQuery = {
  flights: choiceField(['true', 'false'], 'Whether to include the data of the charts.'),
  sandbox,
}

/** The proxy's `/__admin`: read-only views, in which keys are always masked. */
export function createProxyPlane(options: ProxyPlaneOptions): AdminPlane {
  const guard = createGuard(options)
  const views = createViews(options)
  return async call => {
    const refused = guard(call)
    return protect(refused === undefined ? answer(call, views) : refusalOf(refused))
  }
}

function createViews({ journal, textOf, conduct, origin, version }: ProxyPlaneOptions): Views {
  const find = (call: Call): { exchanges: readonly Exchange[]; total: number } | Response => {
    const query = readQuery(call, listing)
    if (query instanceof Response) return query
    const { limit, keys: _keys, sandbox: _sandbox, ...filter } = query
    const found = [...journal].filter(compileFilter(filter, () => call.receivedAt)).reverse()
    return { exchanges: limit === undefined ? found : found.slice(0, limit), total: found.length }
  }
  return {
    '/health': () => json({ status: 'ok', name: 'pet-mock', version, scenario: `proxy of ${origin}` }),
    '/conduct': call => {
      const query = readQuery(call, conductQuery)
      return query instanceof Response ? query : json(conduct(query.flights === 'true'))
    },
    '/requests': call => {
      const found = find(call)
      if (found instanceof Response) return found
      const { size: kept, capacity, evicted } = journal
      return json({
        requests: found.exchanges.map(exchange => showExchange(exchange, textOf(exchange))),
        meta: { total: found.total, kept, capacity, evicted },
      })
    },
    '/requests.har': call => {
      const found = find(call)
      if (found instanceof Response) return found
      return json(writeHar(found.exchanges.toReversed(), textOf, version, journal.evicted))
    },
  }
}

function answer(call: Call, views: Views): Response {
  const path = readTarget(call.target).path.slice(adminPath.length)
  const view = Object.hasOwn(views, path) ? views[path] : undefined
  if (view === undefined) {
    const paths = Object.keys(views).map(known => adminPath + known)
    return refusal('not_found', `A proxy has only ${paths.join(', ')}.`)
  }
  if (call.method !== 'GET' && call.method !== 'HEAD') {
    const message = `${adminPath}${path} accepts GET, not ${call.method}.`
    return refusal('method_not_allowed', message, { Allow: 'GET, HEAD' })
  }
  const response = view(call)
  return call.method === 'HEAD' ? new Response(null, response) : response
}

function readQuery<Q extends RequestFields>(call: Call, fields: Q): ValuesOf<Q> | Response {
  const { query } = readTarget(call.target)
  const reading = readRequest(
    { call, params: {}, query },
    { params: partOf({}), query: partOf(fields), body: undefined },
  )
  return 'refusal' in reading ? reading.refusal : reading.query
}
