import { type FormEvent, useState } from 'react'
import { clockText } from './pause.ts'
import { type NewPet, type Refusal, type Status, statuses } from './pet-service.ts'

interface AddPetProps {
  readonly onAdd: (pet: NewPet) => Promise<Refusal | undefined>
  /** The seconds until the next call is allowed. */
  readonly secondsLeft: number
}

/** The form keeps its text until the service has created the pet. */
export function AddPet({ onAdd, secondsLeft }: AddPetProps) {
  const [isSending, setSending] = useState(false)
  const [told, setTold] = useState<{ readonly text: string; readonly isWell: boolean }>()

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const name = String(fields.get('name'))
    setSending(true)
    const refusal = await onAdd({
      name,
      categoryId: Number(fields.get('categoryId')),
      status: fields.get('status') as Status,
    })
    setSending(false)
    setTold({ text: refusal ? wordsFor(refusal, name) : `${name} was added.`, isWell: !refusal })
    if (refusal === undefined) form.reset()
  }

  return (
    <form className="add" aria-label="Add a pet" onSubmit={submit}>
      <h2>Add a pet</h2>
      <label>
        Name
        <input name="name" required autoComplete="off" />
      </label>
      <label>
        Category
        <input name="categoryId" type="number" min={1} defaultValue={1} required />
      </label>
      <label>
        Status
        <select name="status">
          {statuses.map(status => (
            <option key={status}>{status}</option>
          ))}
        </select>
      </label>
      <button type="submit" disabled={isSending || secondsLeft > 0}>
        {secondsLeft > 0 ? `Add in ${clockText(secondsLeft)}${secondsLeft < 60 ? ' s' : ''}` : 'Add'}
      </button>
      {told && <output className={told.isWell ? 'well' : 'wrong'}>{told.text}</output>}
    </form>
  )
}

/** After a failure it is unknown whether the pet was created, so the user should look first. */
function wordsFor({ kind, message }: Refusal, name: string): string {
  if (kind === 'mistake') return message
  return kind === 'outage'
    ? `The service failed. Look in the list for ${name} before you add it again.`
    : `${name} was not added yet: the service asks for a pause.`
}
