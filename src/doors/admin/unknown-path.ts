import { didYouMean } from '../../base/text/did-you-mean.ts'
import { showValue } from '../../control/files/show.ts'
import { adminPath } from './routing/address.ts'
import { refusal } from './routing/replies.ts'
import type { Route } from './routing/route.ts'

/** 404 for a path that is no route's: it names the one that was probably meant. */
export function explainPath(path: string, routes: readonly Route[]): Response {
  const meant = didYouMean(
    path,
    routes.map(route => route.path),
  )
  const hint =
    meant === undefined ? `${adminPath}/docs tells what there is.` : `Did you mean ${adminPath}${meant}?`
  return refusal('not_found', `There is nothing at ${showValue(adminPath + path)}. ${hint}`)
}

/** 405 with what the path takes instead (RFC 9110, section 15.5.6); to OPTIONS, that is the answer. */
export function explainMethod(path: string, method: string, routes: readonly Route[]): Response {
  const methods = routes
    .filter(route => route.path === path)
    .flatMap(route => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]))
  const allow = [...methods, 'OPTIONS'].join(', ')
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow: allow } })
  return refusal('method_not_allowed', `${adminPath}${path} takes ${allow}, not ${method}.`, { Allow: allow })
}
