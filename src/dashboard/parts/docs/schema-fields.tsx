import { useSignal } from '@preact/signals'
import type { JsonObject } from '../../../base/json/value.ts'
import { objectAt, textAt, textsAt } from '../../openapi/nodes.ts'
import { Words } from '../../openapi/prose.tsx'
import { alternatives, joined, limitsOf, typeName } from '../../openapi/schema.ts'

export interface SchemaFieldsProps {
  readonly root: JsonObject
  readonly schema: JsonObject
}

/** A schema: the fields of an object, or the type of anything else. */
export function SchemaFields({ root, schema }: SchemaFieldsProps) {
  const whole = joined(root, schema)
  const inner = innerOf(root, whole)
  if (inner.length === 0) return <SchemaLine root={root} schema={whole} />
  return (
    <>
      {inner.map(({ title, schema }) => (
        <div key={title}>
          {title !== '' && <p class="muted">{title}</p>}
          <FieldList root={root} schema={schema} />
        </div>
      ))}
    </>
  )
}

/** The objects within a schema: itself, its items, its alternatives. */
function innerOf(
  root: JsonObject,
  whole: JsonObject,
  title = '',
): readonly { title: string; schema: JsonObject }[] {
  if (fieldsOf(whole).length > 0) return [{ title, schema: whole }]
  const items = objectAt(whole, 'items')
  if (Object.keys(items).length > 0 && title !== 'Each item')
    return innerOf(root, joined(root, items), 'Each item')
  const others = alternatives(root, whole).filter(one => fieldsOf(one).length > 0)
  return others.map((schema, index) => ({
    title: others.length === 1 ? title : `Alternative ${index + 1}`,
    schema,
  }))
}

function fieldsOf(schema: JsonObject): readonly (readonly [name: string, field: JsonObject])[] {
  const properties = objectAt(schema, 'properties')
  const others = objectAt(schema, 'additionalProperties')
  return [
    ...Object.keys(properties).map(name => [name, objectAt(properties, name)] as const),
    ...(Object.keys(others).length > 0 ? [['any name', others] as const] : []),
  ]
}

function FieldList({ root, schema }: SchemaFieldsProps) {
  const required = textsAt(schema, 'required')
  return (
    <ul class="schema-fields">
      {fieldsOf(schema).map(([name, field]) => (
        <Field
          key={name}
          root={root}
          name={name}
          schema={joined(root, field)}
          isRequired={required.includes(name)}
        />
      ))}
    </ul>
  )
}

interface FieldProps extends SchemaFieldsProps {
  readonly name: string
  readonly isRequired: boolean
}

/** One field. Its own fields come when somebody opens it: schemas may refer to themselves. */
function Field({ root, name, schema, isRequired }: FieldProps) {
  const isOpen = useSignal(false)
  return (
    <li>
      <code>{name}</code> {isRequired && <b>required</b>} <SchemaLine root={root} schema={schema} />
      {innerOf(root, schema).length > 0 && (
        <details
          onToggle={event => {
            isOpen.value = event.currentTarget.open
          }}
        >
          <summary>Fields of {name}</summary>
          {isOpen.value && <SchemaFields root={root} schema={schema} />}
        </details>
      )}
    </li>
  )
}

/** The type of a value, its limits and its description. */
export function SchemaLine({ root, schema }: SchemaFieldsProps) {
  const limits = limitsOf(schema)
  return (
    <>
      <span class="muted">{[typeName(root, schema), ...limits].join(', ')}</span>{' '}
      <Words text={textAt(schema, 'description')} />
    </>
  )
}
