import { useState } from 'preact/hooks'
import { joinSchema } from '../../../base/json/schema.ts'
import type { JsonObject } from '../../../base/json/value.ts'
import { writeJson } from '../../../base/json/write.ts'
import { JsonText } from '../../design/message-parts.tsx'
import { Words } from '../../openapi/prose.tsx'
import type { Content, Parameter } from '../../openapi/read-document.ts'
import {
  alternatives,
  limitsOf,
  objectAt,
  showValue,
  textAt,
  textsAt,
  typeName,
} from '../../openapi/schema.ts'

/** Parameters of a call, or headers of a response. */
export function ParameterTable(props: { root: JsonObject; label: string; parameters: readonly Parameter[] }) {
  const { root, label, parameters } = props
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

export function ContentView({ root, content }: { readonly root: JsonObject; readonly content: Content }) {
  const { type, schema, examples } = content
  return (
    <>
      <p class="muted">{type}</p>
      <div>
        <SchemaFields root={root} schema={schema} />
      </div>
      {examples.map(({ name, value }) => (
        <details key={name}>
          <summary>{name === '' ? 'Example' : `Example: ${name}`}</summary>
          <JsonText text={writeJson(value)} />
        </details>
      ))}
    </>
  )
}

interface SchemaProps {
  readonly root: JsonObject
  readonly schema: JsonObject
}

/** A schema: the fields of an object, or the type of anything else. */
export function SchemaFields({ root, schema }: SchemaProps) {
  const whole = joinSchema(root, schema)
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
    return innerOf(root, joinSchema(root, items), 'Each item')
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

function FieldList({ root, schema }: SchemaProps) {
  const required = textsAt(schema, 'required')
  return (
    <ul class="schema-fields">
      {fieldsOf(schema).map(([name, field]) => (
        <Field
          key={name}
          root={root}
          name={name}
          schema={joinSchema(root, field)}
          isRequired={required.includes(name)}
        />
      ))}
    </ul>
  )
}

/** One field. Its own fields come when somebody opens it: schemas may refer to themselves. */
function Field({ root, name, schema, isRequired }: SchemaProps & { name: string; isRequired: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <code>{name}</code> {isRequired && <b>required</b>} <SchemaLine root={root} schema={schema} />
      {innerOf(root, schema).length > 0 && (
        <details onToggle={event => setOpen(event.currentTarget.open)}>
          <summary>Fields of {name}</summary>
          {isOpen && <SchemaFields root={root} schema={schema} />}
        </details>
      )}
    </li>
  )
}
function SchemaLine({ root, schema }: SchemaProps) {
  const limits = limitsOf(schema)
  return (
    <>
      <span class="muted">{[typeName(root, schema), ...limits].join(', ')}</span>{' '}
      <Words text={textAt(schema, 'description')} />
    </>
  )
}
