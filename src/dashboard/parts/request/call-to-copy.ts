import type { PlaneExplainedRequest } from '../../../generated/plane-operations.ts'
import type { App } from '../../app/app.ts'
import { type CallToCopy, headersToCopy, ownKey } from '../../copy/call.ts'

type Shown = Pick<PlaneExplainedRequest, 'request'>

/** Reads what a copy of the call needs. A key is in it only if it is one of the server's own: others stay secret. */
export async function readCallToCopy(
  { plane, origin }: Pick<App, 'plane' | 'origin'>,
  { id, sandbox, method, target, request }: PlaneExplainedRequest,
): Promise<CallToCopy> {
  const { headers, body, cutFrom } = request
  const call = { origin, method, target, headers: headersToCopy(headers), body, cutFrom }
  if (headers.authorization === undefined) return { ...call, authorization: undefined }
  const [shown, { keys }] = await Promise.all([
    plane.call('getRequest', { params: { id }, query: { sandbox, keys: 'shown' } }),
    plane.call('listKeys', { query: { sandbox } }),
  ])
  const sent = sentKey(shown)
  const isOurs = keys.some(({ key }) => sent === key || sent === `${key}+${sandbox}`)
  return { ...call, authorization: `Bearer ${isOurs ? sent : ownKey}` }
}

/** The key as the client sent it, if it sent exactly one. */
function sentKey({ request: { headers } }: Shown): string | undefined {
  const { authorization } = headers
  return typeof authorization === 'string' ? /^bearer +(\S+)$/i.exec(authorization)?.[1] : undefined
}
