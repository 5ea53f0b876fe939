import type { PlaneExplainedRequest } from '../../../generated/plane-operations.ts'
import type { App } from '../../app/app.ts'

/** Saves a call as an HTTP archive, which the network panel of a browser opens. Its keys are masked. */
export async function downloadHar(
  { plane }: Pick<App, 'plane'>,
  { id, sandbox }: Pick<PlaneExplainedRequest, 'id' | 'sandbox'>,
): Promise<void> {
  const archive = await plane.call('getRequestsHar', { query: { sandbox, after: id - 1, before: id + 1 } })
  const url = URL.createObjectURL(new Blob([JSON.stringify(archive, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `pet-mock-request-${id}.har`
  link.click()
  // The browser has not read it when this returns.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
