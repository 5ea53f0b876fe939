import type { JsonObject } from '../../../base/json/value.ts'
import type { Parameter } from '../../openapi/operation.ts'
import { Words } from '../../openapi/prose.tsx'
import { limitsOf, showValue, typeName } from '../../openapi/schema.ts'

export interface ParameterTableProps {
  readonly root: JsonObject
  readonly label: string
  readonly parameters: readonly Parameter[]
}

/** Parameters of a call, or headers of an answer. */
export function ParameterTable({ root, label, parameters }: ParameterTableProps) {
  return (
    <ul class="schema-fields" aria-label={label}>
      {parameters.map(({ name, place, isRequired, about, schema, example }) => (
        <li key={`${place} ${name}`}>
          <code>{name}</code> {isRequired && <b>required</b>}{' '}
          <span class="muted">
            {[place, typeName(root, schema), ...limitsOf(schema)].filter(Boolean).join(', ')}
          </span>{' '}
          <Words text={about} />
          {example !== undefined && (
            <span class="muted">
              {' '}
              Example: <code>{showValue(example)}</code>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
