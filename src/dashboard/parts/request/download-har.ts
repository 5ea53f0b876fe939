import type { PlaneExplainedRequest } from '../../../generated/plane-operations.ts'
import type { App } from '../../app/app.ts'
import { saveText } from '../../design/save-text.ts'

/** Saves a call as an HTTP archive, which the network panel of a browser opens. Its keys are masked. */
export async function downloadHar(
  { plane }: Pick<App, 'plane'>,
  { id, sandbox }: Pick<PlaneExplainedRequest, 'id' | 'sandbox'>,
): Promise<void> {
  const archive = await plane.call('getRequestsHar', { query: { sandbox, after: id - 1, before: id + 1 } })
  saveText(`pet-mock-request-${id}.har`, JSON.stringify(archive, null, 2), 'application/json')
}
