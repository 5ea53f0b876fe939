import { didYouMean } from '../../base/text/did-you-mean.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { headerValue, repeated } from '../../service/call/headers.ts'
import { absent, type Mismatch } from '../../service/call/mismatch.ts'
import { readTarget } from '../../service/call/target.ts'
import {
  allowedMethods,
  apiPaths,
  effectiveMethod,
  findRoute,
  type Route,
} from '../../service/operations/routes.ts'

/**
 * What a refused call asked, beside the nearest thing that would have worked. What depends on the state of that moment
 * stands in the trace; what depends on the call and on the API alone is found here.
 */
export function nearestThing(exchange: Exchange): readonly Mismatch[] {
  const { call, trace } = exchange
  if (trace.mismatches !== undefined) return trace.mismatches
  const { method } = call
  const { path } = readTarget(call.target)
  switch (trace.synthetic ? undefined : trace.code) {
    case 'missing_api_key':
    case 'invalid_api_key':
      return [nearestCredential(call.headers)]
    case 'route_not_found':
      return [nearestRoute(method, path)]
    case 'method_not_allowed':
      return [nearestMethod(method, path)]
    case 'endpoint_removed':
      return [
        {
          what: 'request',
          asked: `${method} ${path}`,
          expected: 'GET /v1/pets?status=available (its replacement)',
        },
      ]
    case 'host_not_allowed':
    case 'bad_request':
      return [nearestHost(call.headers)]
    default:
      return []
  }
}

function nearestCredential(headers: readonly string[]): Mismatch {
  const value = headerValue(headers, 'authorization')
  const asked = value === undefined ? absent : value === repeated ? 'several of them' : value
  return { what: 'Authorization', asked, expected: 'Bearer <API_KEY>' }
}

function nearestHost(headers: readonly string[]): Mismatch {
  const host = headerValue(headers, 'host')
  const asked = host === undefined ? absent : host === repeated ? 'several of them' : host
  return { what: 'Host', asked, expected: '127.0.0.1, localhost or a name of --allowed-hosts' }
}

function nearestRoute(method: string, path: string): Mismatch {
  const asked = `${method} ${path}`
  const nearest = nearestPath(path)
  const found = nearest === undefined ? undefined : findRoute(nearest)
  if (nearest === undefined || found === undefined) {
    return { what: 'path', asked: path, expected: `one of ${apiPaths.join(', ')}` }
  }
  return { what: 'request', asked, expected: `${nearestMethodOf(found.route, method)} ${nearest}` }
}

/** The path that was probably meant: mended where the commonest slips are, else the most alike. */
function nearestPath(path: string): string | undefined {
  const trimmed = path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
  const fromBase = trimmed.replace(/^.*\/v\d+(?=\/)/i, '/v1')
  const guesses = [trimmed, fromBase, `/v1${trimmed}`, `/v1${trimmed.replace(/^\/api(?=\/)/i, '')}`]
  const found = [...guesses, ...guesses.map(guess => guess.toLowerCase())].find(
    guess => findRoute(guess) !== undefined,
  )
  if (found !== undefined) return found
  const last = trimmed.slice(trimmed.lastIndexOf('/') + 1)
  const known = apiPaths.flatMap(candidate => {
    if (!candidate.includes('{')) return [candidate]
    return /^\d+$/.test(last) ? [candidate.replace(/\{\w+\}/, last)] : []
  })
  return didYouMean(trimmed, known) ?? didYouMean(`/v1${trimmed}`, known)
}

function nearestMethod(method: string, path: string): Mismatch {
  const asked = `${method} ${path}`
  const found = findRoute(path)
  if (found === undefined) return { what: 'method', asked, expected: absent }
  const { route } = found
  return {
    what: 'request',
    asked,
    expected: `${nearestMethodOf(route, method)} ${path} (of ${allowedMethods(route.operations.keys())})`,
  }
}

/** What changes something is likelier to be meant by what changes something. */
function nearestMethodOf(route: Route, method: string): string {
  const wanted = effectiveMethod(method.toUpperCase())
  if (route.operations.has(wanted)) return wanted
  const [first = 'GET'] = route.operations.keys()
  return wanted !== 'GET' && route.operations.has('POST') ? 'POST' : first
}
