import type { JsonObject } from '../../../base/json/value.ts'
import { writeJson } from '../../../base/json/write.ts'
import type { App } from '../../app/app.ts'
import { type CallToCopy, ownToken } from '../../copy/copy-forms.ts'
import { Badge } from '../../design/basics.tsx'
import { CodeBox } from '../../openapi/code-box.tsx'
import { OperationName } from '../../openapi/operation-list.tsx'
import { Prose, Words } from '../../openapi/prose.tsx'
import type { Answer, ApiDocument, Operation } from '../../openapi/read-document.ts'
import { exampleOf } from '../../openapi/schema.ts'
import { OperationForm, type OperationFormProps } from './operation-form.tsx'
import { ContentView, ParameterTable } from './reference.tsx'
import { callOf, requiredValues } from './typed-call.ts'

interface OperationDocsProps extends Omit<OperationFormProps, 'keys'> {
  /** The keys that the form offers. Undefined: a route of the admin plane, which has no form. */
  readonly keys: OperationFormProps['keys'] | undefined
}

/** All that the description says of one operation, and a form that calls it. A route of the plane has a call to copy instead. */
export function OperationDocs({ app, document, operation, keys }: OperationDocsProps) {
  const { root } = document
  const { id, summary, about, parameters, body, answers } = operation
  return (
    <article class="operation-docs" aria-label={id}>
      <header>
        <h1 class="wraps">{summary || id}</h1>
        <OperationName operation={operation} />
        <span class="muted mono">{id}</span>
      </header>
      {about !== '' && <Prose text={about} />}
      {keys === undefined ? (
        <>
          <CodeBox call={exampleCall(app, document, operation)} notices={app.notices} />
          {parameters.length > 0 && (
            <section>
              <h2>Parameters</h2>
              <ParameterTable root={root} label="Parameters" parameters={parameters} />
            </section>
          )}
        </>
      ) : (
        <OperationForm
          key={app.sandbox.value}
          app={app}
          document={document}
          operation={operation}
          keys={keys}
        />
      )}
      {body && (
        <section>
          <h2>Body {body.isRequired && <b>required</b>}</h2>
          <ContentView root={root} content={body} />
        </section>
      )}
      <section>
        <h2>Responses</h2>
        {answers.map(answer => (
          <AnswerDocs key={answer.status} root={root} answer={answer} />
        ))}
      </section>
    </article>
  )
}
function exampleCall({ origin, login }: App, { root }: ApiDocument, operation: Operation): CallToCopy {
  const { body } = operation
  const example = body && (body.examples[0]?.value ?? exampleOf(root, body.schema, true))
  return callOf(
    operation,
    { values: requiredValues(operation), body: example === undefined ? '' : writeJson(example) },
    { origin, authorization: login.hasToken.value ? `Bearer ${ownToken}` : undefined },
  )
}
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
