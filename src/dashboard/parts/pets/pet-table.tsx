import type { PlanePet } from '../../../generated/plane-operations.ts'
import type { App } from '../../app/app.ts'
import { PetRow } from './pet-row.tsx'

export interface PetTableProps {
  readonly app: App
  readonly pets: readonly PlanePet[]
  readonly onChanged: () => void
}

/** One page of pets. */
export function PetTable({ app, pets, onChanged }: PetTableProps) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Id</th>
          <th scope="col">Name</th>
          <th scope="col">Category</th>
          <th scope="col">Status</th>
          <th scope="col">
            <span class="visually-hidden">Changes</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {pets.map(pet => (
          <PetRow key={pet.id} app={app} pet={pet} onChanged={onChanged} />
        ))}
      </tbody>
    </table>
  )
}
