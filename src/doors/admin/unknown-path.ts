import { didYouMean } from '../../base/text/did-you-mean.ts'
import { showValue } from '../../control/files/show.ts'
import { adminPath } from './routing/address.ts'
import { refusal } from './routing/replies.ts'
import type { Route } from './routing/route.ts'

/** 404 for an unknown path, with a suggestion. */
export function explainPath(path: string, routes: readonly Route[]): Response {
  const meant = didYouMean(
    path,
    routes.map(route => route.path),
  )
  const hint =
    meant === undefined ? `${adminPath}/docs lists all routes.` : `Did you mean ${adminPath}${meant}?`
  return refusal('not_found', `There is no route ${showValue(adminPath + path)}. ${hint}`)
}

/** 405 with the methods that the path accepts (RFC 9110, section 15.5.6), or the answer to OPTIONS. */
export function explainMethod(path: string, method: string, routes: readonly Route[]): Response {
  const methods = routes
    .filter(route => route.path === path)
    .flatMap(route => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]))
  const allow = [...methods, 'OPTIONS'].join(', ')
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow: allow } })
  return refusal('method_not_allowed', `${adminPath}${path} accepts ${allow}, not ${method}.`, {
    Allow: allow,
  })
}
