import type { PlaneExplainedRequest } from '../../../generated/plane-operations.ts'
import type { App, AppProps } from '../../app/app.ts'
import { type CallToCopy, copyForms, headersToCopy, ownKey } from '../../copy/copy-forms.ts'
import { Button } from '../../design/basics.tsx'
import { CopyButton } from '../../design/elements.tsx'
import { saveFile } from '../../design/save-file.ts'

export interface RequestProps extends AppProps {
  readonly request: PlaneExplainedRequest
}

/** What a reader takes away from a call, or does with it. */
export function RequestActions({ app, request }: RequestProps) {
  const { notices, places } = app
  const repeat = async () => {
    try {
      const { status, id } = await sendAgain(app, request)
      notices.show(`Sent again: ${status}.`, status < 400 ? 'good' : 'plain')
      if (id !== undefined) places.goTo({ part: 'requests', rest: [`${id}`] })
    } catch (error) {
      notices.show(`The call was not sent. ${error instanceof Error ? error.message : ''}`, 'bad')
    }
  }
  /** An HTTP archive, which the network panel of a browser opens. Its keys are masked. */
  const save = async () => {
    const { id, sandbox } = request
    const query = { sandbox, after: id - 1, before: id + 1 }
    try {
      const archive = await app.plane.read('getRequestsHar', { query })
      saveFile(`pet-mock-request-${id}.har`, archive, 'application/json')
    } catch {
      notices.show('The server did not give the archive.', 'bad')
    }
  }
  return (
    <div class="actions">
      {copyForms.map(({ name, write }) => (
        <CopyButton
          key={name}
          text={async () => write(await readCallToCopy(app, request))}
          notices={notices}
        >{`Copy as ${name}`}</CopyButton>
      ))}
      <Button onClick={repeat}>Send again</Button>
      <Button onClick={save}>HAR</Button>
    </div>
  )
}

/** Reads what a copy of the call needs. A key is in it only if it is one of the server's own: others stay secret. */
async function readCallToCopy(
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
  const { authorization } = shown.request.headers
  // The key as the client sent it, if it sent exactly one.
  const sent = typeof authorization === 'string' ? /^bearer +(\S+)$/i.exec(authorization)?.[1] : undefined
  const isOurs = keys.some(({ key }) => sent === key || sent === `${key}+${sandbox}`)
  return { ...call, authorization: `Bearer ${isOurs ? sent : ownKey}` }
}

/** Sends the same call once more, and resolves with the id of its record, if the server keeps one. */
async function sendAgain({ plane, callApi, connection }: App, request: PlaneExplainedRequest) {
  const { id, sandbox, method, target } = request
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
  return { status: response.status, id: requests.find(one => one.target === target)?.id }
}
