import type { PlaneExplainedRequest } from '../../../generated/plane-operations.ts'
import type { App } from '../../app/app.ts'
import { headersToCopy } from '../../copy/call.ts'

/** Sends the same call once more, and resolves with the id of its record, if the server keeps one. */
export async function sendAgain(
  { plane, callApi, connection }: Pick<App, 'plane' | 'callApi' | 'connection'>,
  { id, sandbox, method, target }: PlaneExplainedRequest,
): Promise<{ readonly status: number; readonly id: number | undefined }> {
  const shown = await plane.call('getRequest', { params: { id }, query: { sandbox, keys: 'shown' } })
  const { headers, body, cutFrom } = shown.request
  if (cutFrom !== null) throw new Error('Its body is longer than what the journal keeps.')
  const after = connection.newest.value[sandbox] ?? id
  const sent = new Headers(headersToCopy(headers).map(([name, value]): [string, string] => [name, value]))
  const { authorization } = headers
  if (typeof authorization === 'string') sent.set('Authorization', authorization)
  const response = await callApi(target, { method, headers: sent, body, cache: 'no-store' })
  await response.arrayBuffer()
  const { requests } = await plane.call('listRequests', {
    query: { sandbox, after, method, limit: 250, view: 'rows' },
  })
  return { status: response.status, id: requests.findLast(one => one.target === target)?.id }
}
