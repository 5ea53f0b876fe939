import type { JsonObject } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import type { CheckRun, Part } from './check-run.ts'
import { type CheckedCall, petOf, show } from './checked-call.ts'
import { compareFields, getPet } from './get-pet.ts'
import { post } from './request.ts'

/** createPet: what it creates, and what it refuses. */
export const creating: Part = {
  name: 'creating',
  writes: true,
  act: async run => {
    await create(run, { name: 'Rex', categoryId: 1, status: 'pending' })
    const plain = await create(run, { name: 'Rex', categoryId: 1 })
    const status = plain && petOf(plain)?.status
    plain?.check('create-status-absent', status === undefined, `the status is ${show(status)}`)
    // 2^53 + 1 is the first integer that a double cannot hold.
    const categoryId = 9_007_199_254_740_993n
    const exact = await create(run, { name: 'Rex', categoryId })
    const made = exact && petOf(exact)
    if (made?.id !== undefined) await getPet(run, { ...made, categoryId }, 'create-kept')
    for (const body of [{ categoryId: 1 }, { name: 'Rex' }, { name: 'Rex', categoryId: 1, status: 'lost' }])
      await expectRefusal(run, body)
    const text = { headers: { 'Content-Type': 'text/plain' } }
    await run.expect(400, post('{"name":'), 'create-refuses-form')
    await run.expect(400, post('{"name":"Rex","categoryId":1}', text), 'create-refuses-form')
  },
}

/** Creates an animal and checks it. */
export async function create(run: CheckRun, sent: JsonObject): Promise<CheckedCall | undefined> {
  const call = await run.expect(201, post(writeJson(sent)), 'create-answers')
  if (call === undefined) return undefined
  compareFields(call, sent, 'create-as-sent')
  const made = petOf(call)
  const isNew = !run.pets.some(({ id }) => id === made?.id)
  call.check('create-new-id', isNew, `another animal has the id ${show(made?.id)}`)
  const { location = 'missing' } = call.headers
  call.check('create-location', location.endsWith(`/pets/${String(made?.id)}`), `Location is ${location}`)
  if (made !== undefined) run.pets = [...run.pets, made]
  return call
}

export async function expectRefusal(run: CheckRun, body: JsonObject): Promise<void> {
  await run.expect(400, post(writeJson(body)), 'create-refuses')
}
