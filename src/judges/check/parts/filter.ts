import { type CheckedCall, petsOf, show } from '../calls/checked-call.ts'
import type { CheckRun } from '../run/check-run.ts'
import type { Part } from '../run/part.ts'
import { isComplete, list } from './list-pets.ts'

/** The filter by status. */
export const filter: Part = {
  name: 'filter',
  makes: ['list-filter', 'list-filter-complete'],
  act: async run => {
    for (const status of ['available', 'pending', 'sold']) {
      const page = await list(run, { limit: 100, status })
      if (page !== undefined) await checkComplete(run, page, status)
    }
    run.ledger.explain('list-filter-complete', 'no filtered list was known to be whole')
  },
}

/** A filtered list that is whole must have every animal of the unfiltered list with its status. */
async function checkComplete(run: CheckRun, page: CheckedCall, status: string): Promise<void> {
  if (!isComplete(run, page)) return
  const missing = missingFrom(
    page,
    run.pets.filter(({ id = null }) => !run.created.has(id)),
    status,
  )
  if (missing === undefined) return page.check('list-filter-complete', true, '')
  // Somebody may have changed the animals in between: compare again.
  const all = await list(run, { limit: 100 })
  const again = await list(run, { limit: 100, status })
  const isStill = all && again && missingFrom(again, petsOf(all), status) === missing
  if (isStill) page.check('list-filter-complete', false, `the animal ${missing} is missing`)
  else run.ledger.leaveOpen('list-filter-complete', 'the animals changed meanwhile')
}

function missingFrom(page: CheckedCall, pets: CheckRun['pets'], status: string): string | undefined {
  const ids = new Set(petsOf(page).map(({ id }) => id))
  const missing = pets.find(pet => pet.status === status && !ids.has(pet.id))
  return missing && show(missing.id)
}
