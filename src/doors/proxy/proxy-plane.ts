import * as z from 'zod'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Journal } from '../../emulator/journal/journal.ts'
import type { ConductReport } from '../../judges/conduct/conduct-report.ts'
import type { ShowText } from '../../judges/inspection/conceal.ts'
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
import { readGiven } from '../admin/routing/route-context.ts'
import { numberText } from '../admin/routing/shapes.ts'

export interface ProxyPlaneOptions extends GuardOptions {
  readonly journal: Journal<Exchange>
  readonly textOf: (exchange: Exchange) => ShowText
  readonly conduct: (flights: boolean) => ConductReport
  /** Of the upstream. */
  readonly origin: string
  /** Of pet-mock. */
  readonly version: string
}

type Look = (call: Call, parameter: string) => Response

/** Below `/__admin`: a proxy is looked at, and has nothing to be changed. Real keys are always masked here. */
export function createProxyPlane(options: ProxyPlaneOptions): AdminPlane {
  const { journal, textOf, conduct, origin, version } = options
  const guard = createGuard(options)
  const most = Number.MAX_SAFE_INTEGER
  const sandbox = z.enum(['default', '*']).optional()
  const listing = {
    ...filterFields,
    limit: numberText('a whole number of requests (1 or more)', 1, most).optional(),
  }

  const found = (call: Call): { all: readonly Exchange[]; limited: readonly Exchange[] } | Response => {
    const reading = read(call, { ...listing, keys: z.literal('masked').optional(), sandbox })
    if (reading instanceof Response) return reading
    const { limit, keys: _keys, sandbox: _sandbox, ...filter } = reading
    const all = [...journal].filter(compileFilter(filter, () => call.receivedAt)).reverse()
    return { all, limited: limit === undefined ? all : all.slice(0, limit) }
  }
  const looks: Readonly<Record<string, Look>> = {
    '/health': () => json({ status: 'ok', name: 'pet-mock', version, scenario: `proxy of ${origin}` }),
    '/conduct': call => {
      const reading = read(call, { flights: z.enum(['true', 'false']).optional(), sandbox })
      return reading instanceof Response ? reading : json(conduct(reading.flights === 'true'))
    },
    '/requests': call => {
      const requests = found(call)
      if (requests instanceof Response) return requests
      const { size: kept, capacity, evicted } = journal
      return json({
        requests: requests.limited.map(exchange => showExchange(exchange, textOf(exchange))),
        meta: { total: requests.all.length, kept, capacity, evicted },
      })
    },
    '/requests.har': call => {
      const requests = found(call)
      if (requests instanceof Response) return requests
      return json(writeHar(requests.limited.toReversed(), textOf, version, journal.evicted))
    },
  }

  return async (call, _waiting) => {
    const refused = guard(call)
    return protect(refused === undefined ? answer(call, looks) : refusalOf(refused))
  }
}

function answer(call: Call, looks: Readonly<Record<string, Look>>): Response {
  const path = readTarget(call.target).path.slice(adminPath.length)
  const look = Object.hasOwn(looks, path) ? looks[path] : undefined
  const there = Object.keys(looks).map(known => adminPath + known)
  if (look === undefined)
    return refusal('not_found', `A proxy has ${there.join(', ')}, and nothing that could be changed.`)
  if (call.method !== 'GET' && call.method !== 'HEAD')
    return refusal('method_not_allowed', `${adminPath}${path} takes GET, not ${call.method}.`, {
      Allow: 'GET, HEAD',
    })
  const response = look(call, path)
  return call.method === 'HEAD' ? new Response(null, response) : response
}

function read<Q extends z.ZodRawShape>(call: Call, query: Q): z.output<z.ZodObject<Q>> | Response {
  const given = {
    call,
    params: {},
    query: readTarget(call.target).query,
    origin: '',
    now: call.receivedAt,
    waiting,
  }
  const reading = readGiven(given, {
    params: z.strictObject({}),
    query: z.strictObject(query),
    body: undefined,
  })
  return 'refusal' in reading ? reading.refusal : (reading.query as z.output<z.ZodObject<Q>>)
}

/** Nothing here takes its time. */
const waiting = { signal: new AbortController().signal, after: () => () => {} }
