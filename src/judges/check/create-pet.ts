import type { Int64, JsonObject } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { compare, getPet } from './get-pet.ts'
import { show } from './list-pets.ts'
import { petOf, post, type Seen } from './request.ts'
import { expectStatus, type Part, type Run } from './run-parts.ts'

/** createPet: what it makes, and what it refuses. */
export const creating: Part = {
  name: 'creating',
  writes: true,
  act: async run => {
    await create(run, { name: 'Rex', categoryId: 1, status: 'pending' })
    const plain = await create(run, { name: 'Rex', categoryId: 1 })
    if (plain !== undefined) {
      const status = petOf(plain)?.status
      run.ledger.expect(
        'create-status-absent',
        plain,
        status !== undefined && `the status is ${show(status)}`,
      )
    }
    // 2^53 + 1 is the first integer that a double cannot hold.
    const exact = await create(run, { name: 'Rex', categoryId: 9_007_199_254_740_993n })
    const made = exact && petOf(exact)
    if (made?.id !== undefined)
      await getPet(run, { ...made, categoryId: 9_007_199_254_740_993n }, 'create-kept')
    for (const body of [{ categoryId: 1 }, { name: 'Rex' }, { name: 'Rex', categoryId: 1, status: 'lost' }])
      await expectRefusal(run, body)
    const text = { headers: { 'Content-Type': 'text/plain' } }
    await expectStatus(run, post('{"name":'), 'create-refuses-form', 400)
    await expectStatus(run, post('{"name":"Rex","categoryId":1}', text), 'create-refuses-form', 400)
  },
}

export type NewPetFields = { readonly name: string; readonly categoryId: Int64; readonly status?: string }

/** Makes an animal, and checks what came of it. */
export async function create(run: Run, fields: NewPetFields): Promise<Seen | undefined> {
  const sent: JsonObject = { ...fields }
  const seen = await expectStatus(run, post(writeJson(sent)), 'create-answers', 201)
  if (seen === undefined) return undefined
  const { ledger, pets } = run
  compare(run, seen, sent, 'create-as-sent')
  const made = petOf(seen)
  const isOld = pets.some(({ id }) => id === made?.id)
  ledger.expect('create-new-id', seen, isOld && `the id ${show(made?.id)} was another animal's`)
  const { location = '' } = seen.headers
  const isThere = location.endsWith(`/pets/${String(made?.id)}`)
  ledger.expect('create-location', seen, !isThere && `Location is ${location || 'missing'}`)
  if (made !== undefined) run.pets = [...pets, made]
  return seen
}

export async function expectRefusal(run: Run, body: JsonObject): Promise<void> {
  await expectStatus(run, post(writeJson(body)), 'create-refuses', 400)
}
