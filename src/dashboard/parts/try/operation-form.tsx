import { useSignal } from '@preact/signals'
import type { App } from '../../app/app.ts'
import { CodeBox } from '../../openapi/code-box.tsx'
import type { ApiDocument, Operation } from '../../openapi/operation.ts'
import { OperationName } from '../../openapi/operation-list.tsx'
import { Prose } from '../../openapi/prose.tsx'
import { AnswerView } from './answer-view.tsx'
import { BodyField, exampleBody } from './body-field.tsx'
import { KeyChoice } from './key-choice.tsx'
import { ParameterField } from './parameter-field.tsx'
import type { Sent } from './send-call.ts'
import { useSending } from './sending.ts'
import { callOf, changedTarget, fieldOf, type Typed } from './typed-call.ts'

export interface OperationFormProps {
  readonly app: App
  readonly document: ApiDocument
  readonly operation: Operation
  readonly keys: readonly string[]
}

/** One operation as a form: its fields, the call that they make, and its answer. */
export function OperationForm({ app, document, operation, keys }: OperationFormProps) {
  const typed = useSignal<Typed>({ values: {}, body: exampleBody(document, operation), key: keys[0] ?? '' })
  const sent = useSignal<Sent | undefined>(undefined)
  const { isSending, send, stop } = useSending(app, sent)
  const set = (part: Partial<Typed>) => {
    typed.value = { ...typed.value, ...part }
  }
  const { values, body, key } = typed.value
  const sandbox = key === '' ? 'default' : app.sandbox.value
  const fullKey = key === '' || sandbox === 'default' ? key : `${key}+${sandbox}`
  const call = callOf(operation, { values, body, key: fullKey }, app.origin)
  const changed = changedTarget(call)
  return (
    <>
      <Title operation={operation} />
      <form
        class="try-form"
        aria-label={operation.id}
        onSubmit={event => {
          event.preventDefault()
          void send(call, sandbox)
        }}
      >
        <KeyChoice keys={keys} value={key} onChange={key => set({ key })} />
        {operation.parameters.map(parameter => (
          <ParameterField
            key={fieldOf(parameter)}
            parameter={parameter}
            value={values[fieldOf(parameter)] ?? ''}
            onChange={value => set({ values: { ...values, [fieldOf(parameter)]: value } })}
          />
        ))}
        {operation.body && (
          <BodyField content={operation.body} value={body} onChange={body => set({ body })} />
        )}
        {changed !== undefined && (
          <p class="muted">
            A browser sends <code>{changed}</code> instead. curl and Python send the path as it is.
          </p>
        )}
        <div class="try-send">
          <button type="submit" class="primary" disabled={isSending}>
            Send
          </button>
          {isSending && (
            <button type="button" onClick={stop}>
              Stop waiting
            </button>
          )}
        </div>
      </form>
      {sent.value && <AnswerView app={app} sent={sent.value} />}
      <section aria-label="As code">
        <h2>As code</h2>
        <CodeBox call={call} notices={app.notices} />
      </section>
    </>
  )
}

function Title({ operation }: { readonly operation: Operation }) {
  const { id, summary, about } = operation
  return (
    <>
      <header>
        <h1>{summary || id}</h1>
        <OperationName operation={operation} />
      </header>
      {about !== '' && <Prose text={about} />}
    </>
  )
}
