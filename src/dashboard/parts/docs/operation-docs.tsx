import type { JsonObject } from '../../../base/json/value.ts'
import type { App } from '../../app/app.ts'
import { Badge } from '../../design/badge.tsx'
import { CodeBox } from '../../openapi/code-box.tsx'
import type { Answer, ApiDocument, Operation } from '../../openapi/operation.ts'
import { OperationName } from '../../openapi/operation-list.tsx'
import { Prose, Words } from '../../openapi/prose.tsx'
import { ContentView } from './content-view.tsx'
import { exampleCall } from './example-call.ts'
import { ParameterTable } from './parameter-table.tsx'

export interface OperationDocsProps {
  readonly app: App
  readonly document: ApiDocument
  readonly operation: Operation
  readonly isAdmin: boolean
}

/** All that the description says of one operation, and a call to copy. */
export function OperationDocs({ app, document, operation, isAdmin }: OperationDocsProps) {
  const { root } = document
  const { id, summary, about, parameters, body, answers } = operation
  const call = exampleCall(document, operation, {
    origin: app.origin,
    isAdmin,
    hasToken: app.login.hasToken.value,
  })
  return (
    <article class="operation-docs" aria-label={id}>
      <header>
        <h1>{summary || id}</h1>
        <OperationName operation={operation} />
        <span class="muted mono">{id}</span>
        {!isAdmin && <a href={app.places.linkTo('try', [id])}>Try it</a>}
      </header>
      {about !== '' && <Prose text={about} />}
      <CodeBox call={call} notices={app.notices} />
      {parameters.length > 0 && (
        <section>
          <h2>Parameters</h2>
          <ParameterTable root={root} label="Parameters" parameters={parameters} />
        </section>
      )}
      {body && (
        <section>
          <h2>Body {body.isRequired && <b>required</b>}</h2>
          <ContentView root={root} content={body} />
        </section>
      )}
      <section>
        <h2>Answers</h2>
        {answers.map(answer => (
          <AnswerDocs key={answer.status} root={root} answer={answer} />
        ))}
      </section>
    </article>
  )
}

/** One status of an answer. Those of success are open. */
function AnswerDocs({ root, answer }: { readonly root: JsonObject; readonly answer: Answer }) {
  const { status, about, headers, content } = answer
  const isGood = status.startsWith('2')
  return (
    <details class="answer-docs" open={isGood}>
      <summary>
        <Badge tone={isGood ? 'good' : status.startsWith('5') ? 'bad' : 'plain'}>{status}</Badge>{' '}
        <Words text={about} />
      </summary>
      {content && <ContentView root={root} content={content} />}
      {headers.length > 0 && (
        <ParameterTable root={root} label={`Headers of ${status}`} parameters={headers} />
      )}
    </details>
  )
}
