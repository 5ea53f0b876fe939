import type { JsonObject } from '../../../base/json/value.ts'
import { writeJson } from '../../../base/json/write.ts'
import { post } from '../calls/request.ts'
import type { CheckRun } from '../run/check-run.ts'
import type { Part } from '../run/part.ts'
import { newPet } from './create-pet.ts'

/** Bodies that lack a required field, or have a field of another type. */
export const refusals: Part = {
  name: 'invalid bodies',
  needs: '--allow-writes',
  makes: ['create-refuses'],
  act: async run => {
    const valid = newPet(run, {})
    const { name: _name, ...withoutName } = valid
    const { categoryId: _categoryId, ...withoutCategory } = valid
    const invalid = [
      withoutName,
      withoutCategory,
      newPet(run, { status: 'lost' }),
      newPet(run, { categoryId: String(valid.categoryId) }),
      newPet(run, { name: 7 }),
      newPet(run, { categoryId: 1.5 }),
      newPet(run, { name: null }),
      newPet(run, { categoryId: null }),
    ]
    for (const body of invalid) await expectRefusal(run, body)
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
