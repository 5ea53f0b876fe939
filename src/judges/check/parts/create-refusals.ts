import type { JsonObject } from '../../../base/json/value.ts'
import { writeJson } from '../../../base/json/write.ts'
import { show } from '../calls/checked-call.ts'
import { get, post } from '../calls/request.ts'
import type { CheckRun } from '../run/check-run.ts'
import type { Part } from '../run/part.ts'
import { newPet } from './create-pet.ts'
import { allPets } from './walk.ts'

const refusedName = 'Refused By Rights'

const leftBehind = { request: get('/pets?limit=100'), status: 200 }

/** Bodies that lack a required field, or have a field of another type. */
export const refusals: Part = {
  name: 'invalid bodies',
  needs: '--allow-writes',
  makes: ['create-refuses', 'create-nothing'],
  act: async run => {
    // Nobody else creates an animal of this name.
    const valid = newPet(run, { name: refusedName })
    const { name: _name, ...withoutName } = valid
    const { categoryId: _categoryId, ...withoutCategory } = valid
    const invalid = [
      withoutName,
      withoutCategory,
      { ...valid, status: 'lost' },
      { ...valid, categoryId: String(valid.categoryId) },
      { ...valid, name: 7 },
      { ...valid, categoryId: 1.5 },
      { ...valid, name: null },
      { ...valid, categoryId: null },
    ]
    for (const body of invalid) await expectRefusal(run, body)
    if (run.ledger.isFailed('create-refuses')) return
    const before = new Set(run.pets.map(({ id }) => id))
    const pets = await allPets(run)
    const left = pets?.find(({ id, name }) => name === refusedName && !before.has(id))
    if (pets === undefined) run.ledger.explain('create-nothing', 'no list was known to be whole')
    else run.ledger.record('create-nothing', leftBehind, left && `the list has the animal ${show(left.id)}`)
  },
}

/** Bodies whose answer the specification leaves open. */
export const forms: Part = {
  name: 'other bodies',
  needs: '--allow-writes',
  makes: ['create-refuses-form', 'create-refuses-null'],
  act: async run => {
    const text = { headers: { 'Content-Type': 'text/plain' } }
    await run.expect(400, post('{"name":'), 'create-refuses-form')
    await run.expect(400, post(writeJson(newPet(run, {})), text), 'create-refuses-form')
    await run.expect(400, post(writeJson(newPet(run, { status: null }))), 'create-refuses-null')
  },
}

export async function expectRefusal(run: CheckRun, body: JsonObject): Promise<void> {
  await run.expect(400, post(writeJson(body)), 'create-refuses')
}
