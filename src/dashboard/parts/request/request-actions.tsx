import type { PlaneExplainedRequest } from '../../../generated/plane-operations.ts'
import type { App } from '../../app/app.ts'
import { copyForms } from '../../copy/copy-forms.ts'
import { CopyButton } from '../../design/copy-button.tsx'
import { readCallToCopy } from './call-to-copy.ts'
import { downloadHar } from './download-har.ts'
import { sendAgain } from './send-again.ts'

/** What a reader takes away from a call, or does with it. */
export function RequestActions({
  app,
  request,
}: {
  readonly app: App
  readonly request: PlaneExplainedRequest
}) {
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
  const save = () =>
    downloadHar(app, request).catch(() => notices.show('The server did not give the archive.', 'bad'))
  return (
    <div class="request-actions">
      {copyForms.map(({ name, write }) => (
        <CopyButton
          key={name}
          text={async () => write(await readCallToCopy(app, request))}
          notices={notices}
        >{`Copy as ${name}`}</CopyButton>
      ))}
      <button type="button" onClick={repeat}>
        Send again
      </button>
      <button type="button" onClick={save}>
        HAR
      </button>
    </div>
  )
}
