import { useState } from 'preact/hooks'
import type { AppProps } from '../../app/app.ts'
import { Button } from '../../design/button.tsx'
import { Choice, FindField } from '../../design/form.tsx'
import { Absent, Problem } from '../../design/problem.tsx'
import { useAnswer } from '../../state/live.ts'
import { PetForm, petStatuses } from './pet-form.tsx'
import { PetTable } from './pet-table.tsx'

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
        <PetTable app={app} pets={pets} onChanged={reload} />
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
