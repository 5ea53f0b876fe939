import { useState } from 'preact/hooks'
import type { App } from '../../app/app.ts'
import { Button } from '../../design/basics.tsx'
import { CopyButton, Table } from '../../design/elements.tsx'
import { Form, Mistake, Submit } from '../../design/form.tsx'
import { saveFile } from '../../design/save-file.ts'
import type { Body } from '../../plane/plane.ts'
import { act, toPlaneError, useAnswer, useLoad } from '../../state/live.ts'
import { ScenarioList, ScenarioPage } from './scenario-list.tsx'
import { UseInTest } from './use-in-test.tsx'
import { Walkthrough } from './walkthrough.tsx'

import './situation.css'

export function View({ app }: { readonly app: App }) {
  const [open] = app.places.at.value.rest
  return (
    <div class="situation-part">
      <CurrentSituation app={app} />
      <div class="situation-columns" data-open={open !== undefined}>
        <ScenarioList app={app} open={open} />
        {open === undefined ? (
          <div>
            <OwnScenario app={app} />
            <RunningWalkthrough app={app} />
            <Settings app={app} />
          </div>
        ) : (
          <ScenarioPage key={open + app.sandbox.value} app={app} name={open} />
        )}
      </div>
    </div>
  )
}

/** The running scenario: start it anew, or take the present state away as a scenario file. */
export function CurrentSituation({ app }: { readonly app: App }) {
  const { plane, notices } = app
  const query = { sandbox: app.sandbox.value }
  const { value } = useAnswer(app, 'getScenario', { query }, 'changes')
  const readYaml = () => plane.call('getSituation', { query })
  const save = () =>
    act(app, async () => saveFile('situation.yaml', await readYaml(), 'application/yaml'), 'Saved.')
  const restart = () => act(app, () => plane.call('reset', { query }), 'The scenario restarted.')
  return (
    <header class="situation-now">
      <div>
        <h1>
          {value?.title ?? '…'} <code>{value?.name}</code>
        </h1>
        <p class="muted">{value?.description}</p>
      </div>
      <div class="actions">
        {value && <UseInTest app={app} name={value.name} />}
        <Button onClick={restart}>Restart</Button>
        <Button onClick={save}>Save the present state</Button>
        <CopyButton text={readYaml} notices={notices}>
          Copy it as YAML
        </CopyButton>
      </div>
    </header>
  )
}

function RunningWalkthrough({ app }: { readonly app: App }) {
  const sandbox = app.sandbox.value
  const { value } = useAnswer(app, 'getScenario', { query: { sandbox } }, 'changes')
  const { name, title, description } = value ?? {}
  // A change that a step makes must not begin the walkthrough anew.
  const identity = `${sandbox} ${name} ${title} ${description}`
  return name === undefined ? null : <OwnWalkthrough key={identity} app={app} name={name} />
}

function OwnWalkthrough({ app, name }: { readonly app: App; readonly name: string }) {
  const query = { sandbox: app.sandbox.value }
  const { value } = useLoad(() => app.plane.call('getShippedScenario', { params: { name }, query }), [name])
  if (value?.start !== null || value.steps.length === 0) return null
  return (
    <section class="scenario-page" aria-label={value.title}>
      <h2>{value.title}</h2>
      <Walkthrough app={app} scenario={value} />
    </section>
  )
}

const example = 'extends: free-plan\nkeys:\n  demo-free: { used: { minute: 57 } }\n'

export function OwnScenario({ app }: { readonly app: App }) {
  const [text, setText] = useState('')
  const [name, setName] = useState('')
  const [mistake, setMistake] = useState('')
  const load = async () => {
    try {
      const scenario = await readYaml(text)
      const sandbox = app.sandbox.value
      const body = { scenario, ...(name !== '' && { name }) }
      await app.plane.call('useScenario', { query: { sandbox }, body })
      setMistake('')
      app.notices.show('Your scenario runs.', 'good')
    } catch (error) {
      setMistake(toPlaneError(error).message)
    }
  }
  const readFile = async (file: File | undefined) => {
    if (file === undefined) return
    await act(app, async () => {
      setText(await file.text())
      setName(file.name)
    })
  }
  return (
    <Form class="own-scenario" aria-label="Your own scenario" onSubmit={load}>
      <h2>Your own scenario</h2>
      <p class="muted">YAML or JSON. It extends a shipped scenario by its name.</p>
      <label>
        A file
        <input
          type="file"
          accept=".yaml,.yml,.json"
          onChange={event => readFile(event.currentTarget.files?.[0])}
        />
      </label>
      <label>
        The scenario
        <textarea
          class="mono"
          rows={14}
          spellcheck={false}
          placeholder={example}
          value={text}
          onInput={event => setText(event.currentTarget.value)}
        />
      </label>
      <Mistake text={mistake} />
      <Submit disabled={text.trim() === ''}>Load</Submit>
    </Form>
  )
}

/** The reader of YAML is loaded when somebody needs it. The server checks the value. */
async function readYaml(text: string): Promise<Body<'useScenario'>['scenario']> {
  const { parse } = await import('yaml')
  // The server also reads an int64 as its digits, which JavaScript keeps.
  const exact = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`)
  const read = (_name: unknown, value: unknown) => (typeof value === 'bigint' ? exact(value) : value)
  return parse(text, read, { intAsBigInt: true })
}

/** The settings that fill gaps of the specification, and where the value of each comes from. */
export function Settings({ app }: { readonly app: App }) {
  const { value } = useAnswer(app, 'getFidelity', { query: { sandbox: app.sandbox.value } }, 'changes')
  return (
    <details class="settings">
      <summary>Settings that the specification leaves open</summary>
      <Table heads={['Setting', 'Value', 'Source']}>
        {value?.settings.map(({ setting, assumption, value: own, source, last }) => (
          <tr key={setting}>
            <th scope="row">
              <code>{setting}</code>
            </th>
            <td>{own === null ? 'none' : <code>{JSON.stringify(own)}</code>}</td>
            <td class="muted">{last === null ? `${source} (${assumption})` : `${source} on ${last}`}</td>
          </tr>
        ))}
      </Table>
    </details>
  )
}
