import { useState } from 'preact/hooks'
import { valueAt } from '../../../base/json/pointer.ts'
import type { App } from '../../app/app.ts'
import { Button } from '../../design/button.tsx'
import { Form, Mistake, Submit } from '../../design/form.tsx'
import type { FormSchema, FormValue } from '../../design/schema-form/schema.ts'
import { SchemaForm } from '../../design/schema-form/schema-form.tsx'
import type { Body } from '../../plane/plane.ts'
import { toPlaneError } from '../../state/live.ts'
import { useLoad } from '../../state/load.ts'

/** Of the schema of a rule in the description of the plane. */
const place = ['paths', '/rules', 'post', 'requestBody', 'content', 'application/json', 'schema']

/** The faults that people want first. */
const faults: readonly (readonly [text: string, then: FormValue])[] = [
  ['Fail with 503', { status: 503 }],
  ['Answer late', { delay: '3s' }],
  ['Lose the reply', { fault: 'reset', direction: 'response' }],
  ['Cut the body', { fault: 'truncate' }],
  ['Never answer', { fault: 'hang' }],
]
export function RuleForm({ app, onAdded }: { readonly app: App; readonly onAdded: () => void }) {
  const { plane, notices } = app
  const [value, setValue] = useState<FormValue>({})
  const [mistake, setMistake] = useState('')
  const load = async () => valueAt(await plane.call('getDescription'), place) as FormSchema | undefined
  const { value: schema } = useLoad(load, [])
  if (schema === undefined) return null
  const add = async () => {
    try {
      const query = { sandbox: app.sandbox.value }
      // The server checks it.
      const { name } = await plane.call('addRule', { query, body: value as Body<'addRule'> })
      notices.show(`${name} acts from now on.`, 'good')
      setValue({})
      setMistake('')
      onAdded()
    } catch (error) {
      setMistake(toPlaneError(error).message)
    }
  }
  const chosen = JSON.stringify(value.then)
  return (
    <Form class="rule-form card" aria-label="Add a rule" onSubmit={add}>
      <h2>Add a rule</h2>
      <div class="actions">
        {faults.map(([text, then]) => (
          <Button
            key={text}
            aria-pressed={JSON.stringify(then) === chosen}
            onClick={() => setValue({ times: 1, ...value, then })}
          >
            {text}
          </Button>
        ))}
      </div>
      <details>
        <summary>All fields</summary>
        <SchemaForm schema={schema} value={value} onChange={setValue} />
      </details>
      {value.then !== undefined && <pre class="json">{JSON.stringify(value, null, 2)}</pre>}
      <Mistake text={mistake} />
      <Submit>Add</Submit>
    </Form>
  )
}
