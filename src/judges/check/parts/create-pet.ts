import type { JsonObject } from '../../../base/json/value.ts'
import { writeJson } from '../../../base/json/write.ts'
import { type CheckedCall, petOf, petsOf, show } from '../calls/checked-call.ts'
import { get, post } from '../calls/request.ts'
import type { CheckRun } from '../run/check-run.ts'
import type { Part } from '../run/part.ts'
import { checkFields, differences } from './compare-pets.ts'
import { isComplete, list } from './list-pets.ts'

/** A service may need a moment until it finds what it created. */
const momentMs = 2_000

/** createPet: what it creates, and whether it is found afterwards. */
export const creating: Part = {
  name: 'creating',
  needs: '--allow-writes',
  makes: [
    'create-answers',
    'create-as-sent',
    'create-new-id',
    'create-kept',
    'create-listed',
    'create-location',
    'create-status-absent',
    'int64-exact',
  ],
  act: async run => {
    const pending = await create(run, newPet(run, { status: 'pending' }), 'plain')
    const plain = await create(run, newPet(run, {}), 'plain')
    const status = plain && petOf(plain)?.status
    plain?.check('create-status-absent', status === undefined, `the status is ${show(status)}`)
    // 2^53 + 1 is the first integer that a double cannot hold.
    const exact = await create(
      run,
      newPet(run, { categoryId: 9_007_199_254_740_993n, status: 'sold' }),
      'odd',
    )
    if (exact === undefined) run.ledger.explain('int64-exact', 'the service knows no such category')
    for (const call of [pending, exact]) if (call !== undefined) await checkKept(run, call)
    // The same requests as before: a service may remember its responses.
    const all = await list(run, { limit: 100 })
    if (all !== undefined) await checkListed(run, all)
    const found = await list(run, { limit: 100, status: 'pending' })
    if (found !== undefined) await checkListed(run, found, 'pending')
  },
}

/** Names that services often change. */
export const names: Part = {
  name: 'names',
  needs: '--allow-writes',
  makes: ['create-accepts'],
  act: async run => {
    const odd = await create(
      run,
      newPet(run, { name: ' Zoë "O\'Hara" <b>&amp; 犬 🐕‍🦺 ', status: 'available' }),
      'odd',
    )
    if (odd !== undefined) await checkKept(run, odd)
    // Without its other oddities, a service may accept it.
    else await create(run, newPet(run, { name: 'Zoë' }), 'odd')
    const long = `Rex ${'the very long name '.repeat(15)}ends here`
    await create(run, newPet(run, { name: long }), 'odd')
  },
}

const plainNames = ['Rex', 'Luna', 'Milo', 'Bella', 'Leocadia', 'Thaddeus', 'Ottilie', 'Balthasar']

/** Names may have to be different. */
function plainName(at: number): string {
  return plainNames[at % plainNames.length] ?? 'Rex'
}

/** A NewPet in a category that the service has, if one is known. */
export function newPet({ pets, created }: CheckRun, fields: JsonObject): JsonObject {
  const known = pets.find(({ categoryId }) => typeof categoryId === 'number')?.categoryId
  return { name: plainName(created.size), categoryId: known ?? 1, ...fields }
}

/**
 * Creates an animal and checks it. The specification does not say which categories exist and which names are valid, so 400 for an
 * odd one is a difference only.
 */
export async function create(
  run: CheckRun,
  sent: JsonObject,
  kind: 'plain' | 'odd',
): Promise<CheckedCall | undefined> {
  const isPlain = kind === 'plain' && run.pets.some(({ categoryId }) => categoryId === sent.categoryId)
  const first = await run.call(post(writeJson(sent)))
  // An animal of this name may exist, and names may have to be different.
  const isTaken = isPlain && first?.status === 400
  const other = { ...sent, name: plainName(run.created.size + 4) }
  const call = isTaken ? await run.call(post(writeJson(other))) : first
  if (call === undefined || call.status === 429) return undefined
  if (call.status === 400 && !isPlain) {
    call.check('create-accepts', false, 'the status is 400')
    run.ledger.explain('create-answers', 'the service knows no category that the run knows')
    return undefined
  }
  call.check('create-answers', call.status === 201, `the status is ${call.status}, not 201`)
  if (call.status !== 201) return undefined
  call.check('create-accepts', true, '')
  checkFields(call, isTaken ? other : sent, 'create-as-sent')
  const made = petOf(call)
  const isNew = !run.pets.some(({ id }) => id === made?.id)
  call.check('create-new-id', isNew, `another animal has the id ${show(made?.id)}`)
  checkLocation(call, made, run.options.basePath)
  if (made?.id !== undefined) {
    run.pets = [...run.pets, made]
    run.created.add(made.id)
  }
  return call
}

function checkLocation(
  { headers, check }: CheckedCall,
  made: JsonObject | undefined,
  basePath: string,
): void {
  const { location } = headers
  const id = /\/pets\/(-?\d+)\/?$/.exec(location ?? '')?.[1]
  const isBelow = location?.includes('://') || location?.startsWith(`${basePath}/pets/`)
  check('create-location', id !== undefined && isBelow === true, `Location is ${location ?? 'missing'}`)
  if (id !== undefined)
    check('create-location-own', id === String(made?.id), `Location is ${location}, the id ${show(made?.id)}`)
}

/** Gets a new animal by its id. */
async function checkKept(run: CheckRun, created: CheckedCall): Promise<void> {
  const made = petOf(created)
  if (made?.id === undefined) return
  if (run.isAfterRemoval) return run.ledger.explain('create-kept', 'getPet may be removed')
  const request = get(`/pets/${String(made.id)}`)
  const isFound = (call: CheckedCall) =>
    call.status === 200 && differences(petOf(call) ?? {}, made).length === 0
  const first = await run.call(request)
  if (first === undefined || first.status === 429) return
  if (!isFound(first)) await run.options.wait(momentMs)
  const call = isFound(first) ? first : await run.call(request)
  if (call === undefined || call.status === 429) return
  if (call !== first && isFound(call))
    return run.ledger.leaveOpen('create-kept', 'the service finds a new animal only after a moment')
  call.check('create-kept', call.status === 200, `the status is ${call.status}, not 200`)
  if (call.status === 200) checkFields(call, made, 'create-kept')
}

/** Checks that a list, if it is whole, has the new animals. */
async function checkListed(run: CheckRun, page: CheckedCall, status?: string): Promise<void> {
  const { ledger, created, pets, options } = run
  if (!isComplete(run, page)) return ledger.explain('create-listed', 'no list was known to be whole')
  const missingFrom = (call: CheckedCall) =>
    pets.find(
      pet =>
        pet.id !== undefined &&
        created.has(pet.id) &&
        (status === undefined || pet.status === status) &&
        !petsOf(call).some(({ id }) => id === pet.id),
    )
  const missing = missingFrom(page)
  if (missing === undefined) return page.check('create-listed', true, '')
  await options.wait(momentMs)
  const again = await list(run, { limit: 100, ...(status !== undefined && { status }) })
  const isStill = again !== undefined && missingFrom(again)?.id === missing.id
  if (isStill) again.check('create-listed', false, `the animal ${show(missing.id)} is missing`)
  else ledger.leaveOpen('create-listed', 'the service lists a new animal only after a moment')
}
