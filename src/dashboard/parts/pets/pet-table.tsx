import { useState } from 'preact/hooks'
import type { PlanePet } from '../../../generated/plane-operations.ts'
import type { ChangingProps } from '../../app/app.ts'
import { Badge, type Tone } from '../../design/badge.tsx'
import { Button } from '../../design/button.tsx'
import { Table } from '../../design/table.tsx'
import { acting } from '../../state/act.ts'
import { PetForm } from './pet-form.tsx'

export function PetTable({ app, pets, onChanged }: ChangingProps & { pets: readonly PlanePet[] }) {
  const changes = <span class="visually-hidden">Changes</span>
  return (
    <Table heads={['Id', 'Name', 'Category', 'Status', changes]}>
      {pets.map(pet => (
        <PetRow key={pet.id} app={app} pet={pet} onChanged={onChanged} />
      ))}
    </Table>
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
