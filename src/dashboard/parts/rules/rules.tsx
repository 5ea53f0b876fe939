import { useState } from 'preact/hooks'
import { valueAt } from '../../../base/json/pointer.ts'
import type { App, AppProps, ChangingProps } from '../../app/app.ts'
import { Badge, Button } from '../../design/basics.tsx'
import { Problem } from '../../design/elements.tsx'
import { Form, Mistake, Submit } from '../../design/form.tsx'
import type { FormSchema, FormValue } from '../../design/schema-form/schema.ts'
import { SchemaForm } from '../../design/schema-form/schema-form.tsx'
import type { Answer, Body } from '../../plane/plane.ts'
import { acting, toPlaneError, useAnswer, useLoad } from '../../state/live.ts'

import './rules.css'

/** The rules of the sandbox in the order of their evaluation, and a form for another one. */
export function View({ app }: AppProps) {
  const query = { sandbox: app.sandbox.value }
  const { value, error, reload } = useAnswer(app, 'listRules', { query })
  if (error !== undefined) return <Problem title="The rules cannot be shown">{error.message}</Problem>
  if (value === undefined) return null
  return (
    <div class="page rules">
      <h1>Rules</h1>
      <p class="muted">A rule injects an error, a delay or a fault. The first one that acts decides.</p>
      {value.rules.length === 0 && <p>No active rules.</p>}
      <ul>
        {value.rules.map(status => (
          <RuleLine key={status.name} app={app} status={status} onChanged={reload} />
        ))}
      </ul>
      <RuleForm app={app} onAdded={reload} />
    </div>
  )
}

export type RuleStatus = Answer<'listRules'>['rules'][number]

export function RuleLine({ app, status, onChanged }: ChangingProps & { status: RuleStatus }) {
  const { plane } = app
  const { name, on, added, retired, acted } = status
  const { match, when, then } = status.rule
  const target = { params: { name }, query: { sandbox: app.sandbox.value } }
  const change = acting(app, onChanged)
  const turn = change(() => plane.call('changeRule', { ...target, body: { on: !on } }))
  const remove = change(() => plane.call('deleteRule', target), `${name} is deleted.`)
  return (
    <li class="rule card" data-on={on}>
      <header class="row">
        <h2 class="wraps">{name}</h2>
        {added && <Badge tone="info">added</Badge>}
        {retired && <Badge tone="plain">done</Badge>}
        {!on && <Badge tone="plain">off</Badge>}
        <span class="muted">acted {acted.toLocaleString('en')} times</span>
        <span class="filler" />
        <Button aria-pressed={on} aria-label={`${on ? 'On' : 'Off'}: ${name}`} onClick={turn}>
          {on ? 'On' : 'Off'}
        </Button>
        <Button aria-label={`Delete ${name}`} onClick={remove}>
          Delete
        </Button>
      </header>
      <dl class="mono">
        <Fact name="match" value={match ?? 'every call'} />
        {when && <Fact name="when" value={when} />}
        <Fact name="then" value={then} />
      </dl>
    </li>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="wraps">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
    </div>
  )
}

/** Of the schema of a rule in the description of the plane. */
const place = ['paths', '/rules', 'post', 'requestBody', 'content', 'application/json', 'schema']

/** The faults that people want first. */
const faults: readonly (readonly [text: string, then: FormValue])[] = [
  ['Fail with 503', { status: 503 }],
  ['Delay the response', { delay: '3s' }],
  ['Lose the response', { fault: 'reset', direction: 'response' }],
  ['Cut the body', { fault: 'truncate' }],
  ['Never answer', { fault: 'hang' }],
]
function RuleForm({ app, onAdded }: { readonly app: App; readonly onAdded: () => void }) {
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
