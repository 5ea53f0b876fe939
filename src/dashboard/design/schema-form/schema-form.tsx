import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { type Field, Options } from '../form.tsx'
import {
  controlOf,
  type FormSchema,
  type FormValue,
  groupIn,
  readTyped,
  showTyped,
  withField,
} from './schema.ts'

import './schema-form.css'

/** The fields of an object, made from its JSON Schema. An empty field is left out of the value. */
export function SchemaForm({ schema, value, onChange }: Field<FormValue> & { schema: FormSchema }) {
  const { properties = {}, required = [] } = schema
  const id = useId()
  return (
    <div class="schema-form">
      {Object.entries(properties).map(([name, schema]) => {
        const set = (field: unknown) => onChange(withField(value, name, field))
        if (controlOf(schema) === 'group')
          return (
            <fieldset key={name}>
              <legend>
                {name} <span class="muted">{schema.description}</span>
              </legend>
              <SchemaForm schema={schema} value={groupIn(value, name)} onChange={set} />
            </fieldset>
          )
        return (
          <div key={name} class="field">
            <label htmlFor={`${id}-${name}`}>
              {name}
              {required.includes(name) && <b> required</b>}
            </label>
            <SchemaControl id={`${id}-${name}`} schema={schema} value={value[name]} onChange={set} />
            <small class="muted">{schema.description}</small>
          </div>
        )
      })}
    </div>
  )
}

/** Its value is undefined while the field is empty. */
interface SchemaControlProps extends Field<unknown> {
  /** The id of the element, for its label. */
  readonly id: string
  readonly schema: FormSchema
}

function SchemaControl({ id, schema, value, onChange }: SchemaControlProps) {
  const kind = controlOf(schema)
  const values = kind === 'flag' ? [true, false] : (schema.enum ?? [])
  if (kind === 'choice' || kind === 'flag')
    return (
      <select
        id={id}
        value={showTyped(value)}
        onChange={event => onChange(values.find(one => showTyped(one) === event.currentTarget.value))}
      >
        <option value="">–</option>
        <Options of={values.map(showTyped)} />
      </select>
    )
  return <TypedControl id={id} schema={schema} value={value} onChange={onChange} />
}

/** A field that somebody types into. It keeps the text: `1.` is on its way to 1.5. */
function TypedControl({ id, schema, value, onChange }: SchemaControlProps) {
  const kind = controlOf(schema)
  const [example] = schema.examples ?? []
  const read = (typed: string) => {
    if (kind === 'json') return readTyped(typed)
    if (typed === '') return undefined
    return kind === 'number' ? Number(typed) : typed
  }
  const text = useSignal(showTyped(value))
  // The value changed otherwise, such as when the form was emptied.
  if (showTyped(read(text.peek())) !== showTyped(value)) text.value = showTyped(value)
  return (
    <input
      id={id}
      type="text"
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      placeholder={example === undefined ? '' : showTyped(example)}
      value={text.value}
      onInput={event => {
        text.value = event.currentTarget.value
        onChange(read(text.value))
      }}
    />
  )
}
