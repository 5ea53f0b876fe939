import { writeJson } from '../../../base/json/write.ts'
import { formatJson } from '../../design/json-tokens.ts'
import { exampleOf } from '../../openapi/example.ts'
import type { ApiDocument, Content, Operation } from '../../openapi/operation.ts'

export interface BodyFieldProps {
  readonly content: Content
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The body as text, with the examples of the contract. It goes as it is, so that a wrong one can be tried. */
export function BodyField({ content: { type, examples }, value, onChange }: BodyFieldProps) {
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
            <button key={name} type="button" onClick={() => onChange(laidOut(writeJson(value)))}>
              {name}
            </button>
          ))}
        {/\bjson\b/.test(type) && value !== '' && !isJson(value) && (
          <small class="muted">This is not JSON. It goes out as it is.</small>
        )}
      </div>
    </div>
  )
}

/** The body that a form starts with: the contract's first example, or one made of its schema. */
export function exampleBody({ root }: ApiDocument, { body }: Operation): string {
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
