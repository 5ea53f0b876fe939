import { groupDigits } from '../../base/text/quantities.ts'
import type { Session } from '../remote/session.ts'
import { type Cell, cell, tableLines } from '../terminal/table.ts'

/** A pet in JSON. Ids beyond 2^53 are strings. */
export interface SentPet {
  readonly id: number | string
  readonly name: string
  readonly categoryId: number | string
  readonly status?: string
}

export interface PetPage {
  readonly pets: readonly SentPet[]
  /** Pets in the store, with any status. */
  readonly total: number
  readonly more: boolean
}

export function listPets(
  { print, paint, values }: Session<{ readonly status?: string | undefined }>,
  page: PetPage,
) {
  print(page, ({ pets, total, more }) => {
    const last = pets.at(-1)
    if (last === undefined) {
      const kept = `The store has ${groupDigits(total)} pets`
      return [paint('dim', total === 0 ? 'The store has no pets.' : `None matches. ${kept}.`)]
    }
    const status = values.status === undefined ? '' : ` --status ${values.status}`
    const next = `${groupDigits(total)} pets in all. The next ones: pet-mock pets${status} --after ${last.id}`
    return [...tableLines(pets.map(toRow), paint), ...(more ? [paint('dim', next)] : [])]
  })
}

export function showPets({ print, paint }: Session, ...pets: readonly SentPet[]): void {
  const [only] = pets
  const answer = only !== undefined && pets.length === 1 ? only : { pets }
  print(answer, () => tableLines(pets.map(toRow), paint))
}

function toRow({ id, name, categoryId, status }: SentPet): readonly Cell[] {
  return [
    cell(id, { atRight: true }),
    cell(name, { style: 'bold' }),
    cell(`category ${categoryId}`, { style: 'dim' }),
    cell(status ?? 'no status', status === undefined ? { style: 'dim' } : {}),
  ]
}
