import type { JsonObject } from '../../../base/json/value.ts'
import { writeJson } from '../../../base/json/write.ts'
import { JsonText } from '../../design/json-text.tsx'
import type { Content } from '../../openapi/operation.ts'
import { SchemaFields } from './schema-fields.tsx'

/** A body: its fields, and its examples. */
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
