import { useState } from 'preact/hooks'
import type { PlanePet } from '../../../generated/plane-operations.ts'
import type { AppProps } from '../../app/app.ts'
import { Form, Options, Submit } from '../../design/form.tsx'
import { act } from '../../state/act.ts'

export const petStatuses = ['available', 'pending', 'sold'] as const

export function fieldsOf(pet: PlanePet | undefined) {
  const status: string = pet?.status ?? ''
  return { name: pet?.name ?? '', categoryId: `${pet?.categoryId ?? 1}`, status }
}

/** The body for the plane. An id of 64 bits is sent as text, so that it stays exact. */
export function bodyOf({ name, categoryId, status }: ReturnType<typeof fieldsOf>) {
  return { name, categoryId, status: petStatuses.find(one => one === status) ?? null }
}

/** Changes a pet. Without one, it adds a new one. */
export function PetForm({ app, pet, onSaved }: AppProps & { pet?: PlanePet; onSaved: () => void }) {
  const [fields, setFields] = useState(fieldsOf(pet))
  const set = (part: Partial<typeof fields>) => setFields(before => ({ ...before, ...part }))
  const save = async () => {
    const query = { sandbox: app.sandbox.value }
    const body = bodyOf(fields)
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
