import { useId } from 'preact/hooks'
import type { JsonValue } from '../../../base/json/value.ts'
import { valuesAt } from '../../openapi/nodes.ts'
import type { Parameter } from '../../openapi/operation.ts'
import { Words } from '../../openapi/prose.tsx'
import { limitsOf, showValue, typeName, typesOf } from '../../openapi/schema.ts'

export interface ParameterFieldProps {
  readonly parameter: Parameter
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The field of one parameter. Numbers are text: a number field would round those of 64 bits and take no wrong ones. */
export function ParameterField({ parameter, value, onChange }: ParameterFieldProps) {
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
          {choices.map(choice => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
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
