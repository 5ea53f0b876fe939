import { useState } from 'preact/hooks'
import type { PlanePet } from '../../../generated/plane-operations.ts'
import type { AppProps, ChangingProps } from '../../app/app.ts'
import { Badge, Button, type Tone } from '../../design/basics.tsx'
import { Absent, Problem, Table } from '../../design/elements.tsx'
import { Choice, FindField, Form, Options, Submit } from '../../design/form.tsx'
import { act, acting, useAnswer } from '../../state/live.ts'

import './pets.css'

const perPage = 25

export function View({ app }: AppProps) {
  const { places } = app
  const [isAdding, setAdding] = useState(false)
  const { name = '', status = '', after = '' } = places.at.value.query
  const wanted = petStatuses.find(one => one === status)
  const query = { sandbox: app.sandbox.value, name, after, limit: perPage, status: wanted }
  const { value: answer, error, reload } = useAnswer(app, 'listPets', { query })
  if (answer === undefined) return <Absent title="No pets" error={error} />
  const { pets, total, more } = answer
  const last = pets.at(-1)?.id
  const goTo = (from: string) =>
    places.goTo({ part: 'pets', query: { ...places.at.value.query, after: from } })
  const filter = (by: Readonly<Record<string, string>>) => places.filter({ ...by, after: '' })
  return (
    <div class="page pets">
      <header>
        <h1>Pets</h1>
        <span class="muted">{total.toLocaleString('en')} in the store</span>
        <span class="filler" />
        <FindField label="Find a name" value={name} onChange={name => filter({ name })} />
        <Choice label="Status" value={status} values={petStatuses} onChange={status => filter({ status })} />
        <Button aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
          Add a pet
        </Button>
      </header>
      {isAdding && (
        <PetForm
          app={app}
          onSaved={() => {
            setAdding(false)
            reload()
          }}
        />
      )}
      {pets.length === 0 ? (
        <Problem title={name + status + after === '' ? 'The store is empty' : 'No pet matches'}>
          {after === '' ? '' : 'The list ended before this page.'}
        </Problem>
      ) : (
        <Table heads={['Id', 'Name', 'Category', 'Status', <span class="visually-hidden">Changes</span>]}>
          {pets.map(pet => (
            <PetRow key={pet.id} app={app} pet={pet} onChanged={reload} />
          ))}
        </Table>
      )}
      <footer>
        <Button disabled={after === ''} onClick={() => goTo('')}>
          First page
        </Button>
        <Button disabled={!more || last === undefined} onClick={() => goTo(`${last}`)}>
          Next page
        </Button>
      </footer>
    </div>
  )
}

const tones: Readonly<Record<NonNullable<PlanePet['status']>, Tone>> = {
  available: 'good',
  pending: 'warn',
  sold: 'plain',
}
function PetRow({ app, pet, onChanged }: ChangingProps & { pet: PlanePet }) {
  const [isOpen, setOpen] = useState(false)
  const { id, name, categoryId, status, extra } = pet
  const target = { params: { id }, query: { sandbox: app.sandbox.value } }
  const change = acting(app, onChanged)
  const remove = change(() => app.plane.call('deletePet', target), `${name} is deleted.`)
  if (isOpen)
    return (
      <tr>
        <td class="mono">{id}</td>
        <td colSpan={4}>
          <PetForm
            app={app}
            pet={pet}
            onSaved={() => {
              setOpen(false)
              onChanged()
            }}
          />
        </td>
      </tr>
    )
  return (
    <tr>
      <td class="mono">{id}</td>
      <th scope="row">
        {name}
        {extra && <div class="mono">{JSON.stringify(extra)}</div>}
      </th>
      <td>{categoryId}</td>
      <td>{status === undefined ? null : <Badge tone={tones[status]}>{status}</Badge>}</td>
      <td class="changes">
        <Button class="quiet" aria-label={`Change ${name}`} onClick={() => setOpen(true)}>
          Change
        </Button>
        <Button class="quiet" aria-label={`Delete ${name}`} onClick={remove}>
          Delete
        </Button>
      </td>
    </tr>
  )
}

const petStatuses = ['available', 'pending', 'sold'] as const

/** Changes a pet. Without one, it adds a new one. */
function PetForm({ app, pet, onSaved }: AppProps & { pet?: PlanePet; onSaved: () => void }) {
  const status: string = pet?.status ?? ''
  // An id of 64 bits is sent as text, so that it stays exact.
  const categoryId = `${pet?.categoryId ?? 1}`
  const [fields, setFields] = useState({ name: pet?.name ?? '', categoryId, status })
  const set = (part: Partial<typeof fields>) => setFields(before => ({ ...before, ...part }))
  const save = async () => {
    const query = { sandbox: app.sandbox.value }
    const body = { ...fields, status: petStatuses.find(one => one === fields.status) ?? null }
    const work = () =>
      pet === undefined
        ? app.plane.call('addPet', { query, body })
        : app.plane.call('changePet', { params: { id: pet.id }, query, body })
    if (await act(app, work)) onSaved()
  }
  return (
    <Form class="pet-form" aria-label={pet === undefined ? 'New pet' : `Pet ${pet.id}`} onSubmit={save}>
      <label>
        <span>Name</span>
        <input required value={fields.name} onInput={event => set({ name: event.currentTarget.value })} />
      </label>
      <label>
        <span>Category</span>
        <input
          required
          inputMode="numeric"
          pattern="-?\d{1,19}"
          value={fields.categoryId}
          onInput={event => set({ categoryId: event.currentTarget.value })}
        />
      </label>
      <label>
        <span>Status</span>
        <select value={fields.status} onChange={event => set({ status: event.currentTarget.value })}>
          <option value="">none</option>
          <Options of={petStatuses} />
        </select>
      </label>
      <Submit>Save</Submit>
    </Form>
  )
}
