import { useSignal } from '@preact/signals'
import { useId, useState } from 'preact/hooks'
import type { JsonValue } from '../../../base/json/value.ts'
import { writeJson } from '../../../base/json/write.ts'
import type { App } from '../../app/app.ts'
import { Button } from '../../design/basics.tsx'
import { type Field, Form, Options, Submit } from '../../design/form.tsx'
import { formatJson } from '../../design/json-tokens.ts'
import { CodeBox } from '../../openapi/code-box.tsx'
import { Words } from '../../openapi/prose.tsx'
import type { ApiDocument, Content, Operation, Parameter } from '../../openapi/read-document.ts'
import { exampleOf, limitsOf, showValue, typeName, typesOf, valuesAt } from '../../openapi/schema.ts'
import type { KeyState } from '../../state/keys.ts'
import { AnswerView, type Sent, useSending } from './answer-view.tsx'
import { callOf, changedTarget, fieldOf, type Typed } from './typed-call.ts'

export interface OperationFormProps {
  readonly app: App
  readonly document: ApiDocument
  readonly operation: Operation
  readonly keys: readonly Pick<KeyState, 'key' | 'name'>[]
}

/** One operation as a form: its fields, the call that they make, and its response. */
export function OperationForm({ app, document, operation, keys }: OperationFormProps) {
  const [typed, setTyped] = useState<Typed>(() => {
    return { values: {}, body: exampleBody(document, operation), key: keys[0]?.key ?? '' }
  })
  const sent = useSignal<Sent | undefined>(undefined)
  const { isSending, send, stop } = useSending(app, sent)
  const set = (part: Partial<Typed>) => setTyped(before => ({ ...before, ...part }))
  const { values, body, key } = typed
  const sandbox = key === '' ? 'default' : app.sandbox.value
  const headerOf = (key: string) =>
    key === '' ? undefined : `Bearer ${key}${sandbox === 'default' ? '' : `+${sandbox}`}`
  const authorization = headerOf(key)
  const call = callOf(operation, { values, body }, { origin: app.origin, authorization })
  const changed = changedTarget(call)
  return (
    <>
      <Form class="try-form" aria-label={operation.id} onSubmit={() => send(call, sandbox)}>
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
        <div class="row">
          <Submit disabled={isSending}>Send</Submit>
          {isSending && <Button onClick={stop}>Stop waiting</Button>}
        </div>
      </Form>
      {sent.value && <AnswerView app={app} sent={sent.value} />}
      <section aria-label="As code">
        <h2>As code</h2>
        <CodeBox
          call={call}
          shown={headerOf(keys.find(one => one.key === key)?.name ?? '')}
          notices={app.notices}
        />
      </section>
    </>
  )
}

function KeyChoice({ keys, value, onChange }: Field<string> & Pick<OperationFormProps, 'keys'>) {
  return (
    <label class="try-field">
      <span>API key</span>
      <select value={value} onChange={event => onChange(event.currentTarget.value)}>
        {keys.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
        <option value="">none</option>
      </select>
    </label>
  )
}

/** The field of one parameter. Numbers are text: a number field would round those of 64 bits and take no wrong ones. */
function ParameterField({ parameter, value, onChange }: Field<string> & { parameter: Parameter }) {
  const id = useId()
  const { name, place, isRequired, about, schema } = parameter
  const choices = choicesOf(parameter)
  const isNumber = typesOf(schema).some(type => type === 'integer' || type === 'number')
  const limits = [typeName({}, schema), ...limitsOf(schema)].filter(text => !text.startsWith('one of'))
  const example = parameter.example
  return (
    <div class="try-field">
      <label for={id}>
        <code>{name}</code> <span class="muted">{place}</span> {isRequired && <b>required</b>}
      </label>
      {choices.length > 0 ? (
        <select id={id} value={value} onChange={event => onChange(event.currentTarget.value)}>
          <option value="">not sent</option>
          <Options of={choices} />
        </select>
      ) : (
        <input
          id={id}
          value={value}
          inputMode={isNumber ? 'numeric' : undefined}
          placeholder={example === undefined ? 'not sent' : `such as ${showValue(example)}`}
          onInput={event => onChange(event.currentTarget.value)}
        />
      )}
      <small class="muted">
        {limits.join(', ')}. <Words text={about} />
      </small>
    </div>
  )
}

function choicesOf({ schema }: Parameter): readonly string[] {
  const values: readonly JsonValue[] = valuesAt(schema, 'enum')
  if (values.length > 0) return [...new Set(values.map(showValue))]
  return typesOf(schema).includes('boolean') ? ['true', 'false'] : []
}

/** The body as text, with the examples of the contract. It goes as it is, so that a wrong one can be tried. */
function BodyField({ content: { type, examples }, value, onChange }: Field<string> & { content: Content }) {
  return (
    <div class="try-body">
      <label class="try-field">
        <span>
          Body <span class="muted">{type}</span>
        </span>
        <textarea
          class="mono"
          rows={Math.min(14, Math.max(4, value.split('\n').length))}
          spellcheck={false}
          value={value}
          onInput={event => onChange(event.currentTarget.value)}
        />
      </label>
      <div class="row">
        {examples.length > 1 &&
          examples.map(({ name, value }) => (
            <Button key={name} onClick={() => onChange(laidOut(writeJson(value)))}>
              {name}
            </Button>
          ))}
        {/\bjson\b/.test(type) && value !== '' && !isJson(value) && (
          <small class="muted">This is not JSON. It goes out as it is.</small>
        )}
      </div>
    </div>
  )
}

/** The body that a form starts with: the contract's first example, or one made of its schema. */
function exampleBody({ root }: ApiDocument, { body }: Operation): string {
  if (body === undefined || !/\bjson\b/.test(body.type)) return ''
  return laidOut(writeJson(body.examples[0]?.value ?? exampleOf(root, body.schema)))
}

function laidOut(json: string): string {
  return (
    formatJson(json)
      ?.map(({ text }) => text)
      .join('') ?? json
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
