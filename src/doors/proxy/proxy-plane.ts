import { compileFilter } from '../../judges/inspection/filter.ts'
import { writeHar } from '../../judges/inspection/har.ts'
import { type Found, findIn, read, writeRequests } from '../../judges/inspection/requests.ts'
import { showExchange, showRow } from '../../judges/inspection/view.ts'
import type { Call } from '../../service/call/call.ts'
import { readTarget } from '../../service/call/target.ts'
import { createGuard, type GuardOptions } from '../admin/guard.ts'
import { wantsPage } from '../admin/pages/wants-page.ts'
import type { AdminPlane } from '../admin/plane.ts'
import { filterFields, listView } from '../admin/routes/request-views.ts'
import { adminPath, isHealth, publicHealth } from '../admin/routing/address.ts'
import type { Waiting } from '../admin/routing/read-body.ts'
import { journalIsOff, json, protect, refusal, refusalOf, write } from '../admin/routing/replies.ts'
import {
  choiceField,
  partOf,
  type RequestFields,
  requestNumber,
  type ValuesOf,
} from '../admin/routing/request-fields.ts'
import { readRequest } from '../admin/routing/route-context.ts'
import { finishInTurns, jsonInTurns, type Steps } from '../admin/routing/turns.ts'
import { nameRun } from '../server/load-admin.ts'
import type { ProxyVerdicts } from './verdicts.ts'

interface ProxyPlaneOptions extends GuardOptions, Pick<ProxyVerdicts, 'journal' | 'showOf' | 'conduct'> {
  readonly origin: string
  readonly version: string
}

type Views = Readonly<Record<string, (call: Call, waiting: Waiting) => Response | Promise<Response>>>

const sandbox = choiceField(['default', '*'], 'Accepted, so that clients of both planes can send it.')
const listing = {
  ...filterFields,
  limit: requestNumber('Maximum number of requests.', 20),
  keys: choiceField(['masked'], 'Keys and other secrets are always masked.'),
  view: listView,
  sandbox,
}
const conductQuery = {
  flights: choiceField(['true', 'false'], 'Whether to include the data of the charts.'),
  sandbox,
}

/** The proxy's `/__admin`: read-only views, in which secrets are always masked. It reads no bodies. */
export function createProxyPlane(options: ProxyPlaneOptions): AdminPlane {
  const guard = createGuard(options)
  const start = nameRun()
  const views = createViews(options, start)
  return async (call, waiting) => {
    const caller = guard(call, isHealth(call) ? 'health' : 'plane')
    if (typeof caller === 'object') return protect(refusalOf(caller.refused))
    return protect(caller === 'user' ? await answer(call, waiting, views) : json(publicHealth(start)))
  }
}

function createViews({ journal, showOf, conduct, origin, version }: ProxyPlaneOptions, start: string): Views {
  /** A view of the calls that a query finds. */
  const search = (show: (found: Found, isRows: boolean) => Steps) =>
    view(listing, async (query, now, waiting) => {
      if (journal.capacity === 0) return journalIsOff()
      const { limit, keys: _keys, sandbox: _sandbox, view: shown, ...filter } = query
      const matches = compileFilter(filter, () => now)
      const found = await finishInTurns(findIn([journal], matches, limit), waiting)
      return jsonInTurns(show(found, shown === 'rows'), waiting)
    })
  return {
    '/health': () => json({ ...publicHealth(start), version, scenario: `proxy of ${origin}` }),
    '/conduct': view(conductQuery, async ({ flights }) => json(conduct(flights === 'true'))),
    '/requests': search((found, isRows) =>
      writeRequests(found, showOf, [journal], isRows ? showRow : showExchange),
    ),
    '/requests.har': search(({ places }) => writeHar(read(places), showOf, version, () => journal.evicted)),
  }
}

async function answer(call: Call, waiting: Waiting, views: Views): Promise<Response> {
  const path = readTarget(call.target).path.slice(adminPath.length)
  const serve = Object.hasOwn(views, path) ? views[path] : undefined
  if (serve === undefined) {
    const paths = Object.keys(views).map(known => adminPath + known)
    if ((path === '' || path === '/' || path === '/docs') && wantsPage(call)) return explainToPerson(paths)
    return refusal('not_found', `A proxy has only ${paths.join(', ')}.`)
  }
  if (call.method !== 'GET' && call.method !== 'HEAD') {
    const message = `${adminPath}${path} accepts GET, not ${call.method}.`
    return refusal('method_not_allowed', message, { Allow: 'GET, HEAD' })
  }
  const response = await serve(call, waiting)
  return call.method === 'HEAD' ? new Response(null, response) : response
}

/** For a browser that looks for the dashboard. */
function explainToPerson(paths: readonly string[]): Response {
  const links = paths.map(path => `<li><a href="${path}">${path}</a>`).join('')
  const page = `<!doctype html><html lang="en"><title>pet-mock proxy</title><h1>A proxy has no dashboard</h1><p>It has these answers, as JSON:<ul>${links}</ul>`
  return write(page, 'text/html; charset=utf-8', 404)
}
function view<Q extends RequestFields>(
  fields: Q,
  show: (query: ValuesOf<Q>, now: number, waiting: Waiting) => Promise<Response>,
) {
  const parts = { params: partOf({}), query: partOf(fields), body: undefined }
  return async (call: Call, waiting: Waiting): Promise<Response> => {
    const { query } = readTarget(call.target)
    const reading = readRequest({ params: {}, query, body: {} }, parts)
    return 'refusal' in reading ? reading.refusal : show(reading.query, call.receivedAt, waiting)
  }
}
