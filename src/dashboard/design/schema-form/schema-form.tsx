import './schema-form.css'
import { useId } from 'preact/hooks'
import { controlOf, type FormSchema, type FormValue, groupIn, withField } from './schema.ts'
import { SchemaControl } from './schema-control.tsx'

export interface SchemaFormProps {
  readonly schema: FormSchema
  readonly value: FormValue
  readonly onChange: (value: FormValue) => void
}

/** The fields of an object, made from its JSON Schema. An empty field is left out of the value. */
export function SchemaForm({ schema: { properties = {}, required = [] }, value, onChange }: SchemaFormProps) {
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
