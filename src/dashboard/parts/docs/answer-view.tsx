import type { App } from '../../app/app.ts'
import { Badge, toneOf } from '../../design/badge.tsx'
import { milliseconds } from '../../design/format.ts'
import { HeaderList, JsonText } from '../../design/message-parts.tsx'
import type { Sent } from './send-call.ts'

const mostShown = 100_000

/** The response to a call: status, headers and body, and the way to its record. */
export function AnswerView({ app, sent }: { readonly app: App; readonly sent: Sent }) {
  const { answer, tookMs, sandbox, id } = sent
  return (
    <section class="try-answer card" aria-label="Answer">
      <header class="row">
        <h2>Answer</h2>
        <Badge tone={answer ? toneOf(answer.status) : 'bad'}>{answer?.status ?? 'broken'}</Badge>
        <span class="muted">{milliseconds(tookMs)}</span>
        <span class="filler" />
        {id !== undefined && (
          <a
            href={app.places.linkTo('requests', [`${id}`], { sandbox: sandbox === 'default' ? '' : sandbox })}
          >
            See it in Requests
          </a>
        )}
      </header>
      {answer === undefined ? (
        <p>The connection broke before the whole response was there.</p>
      ) : (
        <>
          <HeaderList headers={answer.headers} />
          {answer.body === '' ? (
            <p class="muted">No body.</p>
          ) : (
            <JsonText text={answer.body.slice(0, mostShown)} />
          )}
          {answer.body.length > mostShown && (
            <p class="muted">These are the first {mostShown.toLocaleString('en')} characters.</p>
          )}
        </>
      )}
    </section>
  )
}
