import type { Signal } from '@preact/signals'
import type { App } from '../../app/app.ts'
import { Choice } from '../../design/choice.tsx'
import { petStatuses } from './pet-fields.ts'

export interface PetBarProps {
  readonly app: App
  readonly total: number
  /** Whether the form of a new pet is open. */
  readonly isAdding: Signal<boolean>
}

/** The filters of the pets, and the way to a new one. */
export function PetBar({ app: { places }, total, isAdding }: PetBarProps) {
  const { name = '', status = '' } = places.at.value.query
  const filter = (by: Readonly<Record<string, string>>) => places.filter({ ...by, after: '' })
  return (
    <header>
      <h1>Pets</h1>
      <span class="muted">{total.toLocaleString('en')} in the store</span>
      <span class="filler" />
      <input
        type="search"
        aria-label="Find a name"
        placeholder="Find a name"
        value={name}
        onInput={event => filter({ name: event.currentTarget.value })}
      />
      <Choice
        label="Status"
        value={status}
        values={petStatuses}
        onChange={value => filter({ status: value })}
      />
      <button
        type="button"
        aria-expanded={isAdding.value}
        onClick={() => {
          isAdding.value = !isAdding.value
        }}
      >
        Add a pet
      </button>
    </header>
  )
}
