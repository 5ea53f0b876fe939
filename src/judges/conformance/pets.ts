import type { JsonObject } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { type CheckedCall, checkDeprecation, checkFields, petOf, petsOf, show, showsPet } from './answers.ts'
import { type Answered, type CheckRun, hasStatus, type Part } from './check-run.ts'
import { allPets, isComplete, list, longList } from './lists.ts'
import { get, post } from './requests.ts'

/** getPet: its fields, unknown ids, and its deprecation. */
export const animals: Part = {
  name: 'animals',
  makes: [
    'get-answers',
    'get-same',
    'get-unknown',
    'deprecation-date',
    'deprecation-sunset',
    'deprecation-successor',
  ],
  act: async run => {
    const sample = sampleOf(run.pets)
    // Whether each request counts once shows after three of three, with no other caller in between.
    const times = Math.max(sample.length, fewest + run.between)
    const repeated = Array.from({ length: times }, (_, at) => sample.slice(at % sample.length).slice(0, 1))
    const [first, ...others] = repeated.flat()
    if (first === undefined) {
      run.explainFewPets(['get-answers', 'get-same'], 'the store is empty')
    } else if (!(await checkSame(run, first))) return
    for (const pet of others) await checkSame(run, pet)
    for (const id of unknownIds(run.pets)) await checkUnknown(run, id)
  },
}

const fewest = 3

/** Animals that services often treat differently: the last one, one in the middle, long ids, odd names. */
function sampleOf(pets: readonly JsonObject[]): readonly JsonObject[] {
  const isLong = ({ id }: JsonObject) => typeof id === 'bigint'
  const chosen = [
    pets[0],
    pets.at(-1),
    pets.find(isLong) ?? pets.find(({ status }) => status === undefined),
    pets.find(({ name }) => /[^ -~]/.test(String(name))) ?? pets[Math.floor(pets.length / 2)],
  ]
  const known = chosen.filter(pet => pet?.id !== undefined)
  return [...new Set(known)].filter(pet => pet !== undefined)
}

/** A small one, one beyond 2^53 that a double changes, and the neighbour of a long one. */
function unknownIds(pets: readonly JsonObject[]): readonly bigint[] {
  const numbers = pets.flatMap(({ id }) => (typeof id === 'number' && Number.isInteger(id) ? [id] : []))
  const long = pets.flatMap(({ id }) => (typeof id === 'bigint' ? [id] : []))
  const near = long.slice(0, 1).map(id => (id % 2n === 0n ? id + 1n : id - 1n))
  const small = BigInt(Math.max(0, ...numbers)) + 1_000_003n
  return [small, 9_223_372_036_854_775_783n, ...near].filter(id => !long.includes(id))
}

/** An animal may have such an id, if the list was not whole. */
async function checkUnknown(run: CheckRun, id: bigint): Promise<void> {
  const call = await run.ask(get(`/pets/${id}`), ['get-unknown'])
  if (call === undefined) return
  const { id: found } = petOf(call) ?? {}
  if (call.status === 200 && String(found) === String(id)) return
  const isRemoved = run.isAfterRemoval && call.status === 410
  call.check('get-unknown', call.status === 404 || isRemoved, `the status is ${call.status}, not 404`)
}

/** Gets an animal, and compares it with the one of the list. False if the operation is removed. */
async function checkSame(run: CheckRun, known: JsonObject): Promise<boolean> {
  const call = await run.ask(get(`/pets/${String(known.id)}`), ['get-answers', 'get-same'])
  if (call === undefined) return true
  if (run.isAfterRemoval && (call.status === 404 || call.status === 410)) {
    for (const id of animals.makes) run.ledger.leaveOpen(id, 'getPet is removed')
    return false
  }
  if (call.status === 200) checkDeprecation(call)
  const isRight = showsPet(call, known)
  const listed = isRight ? undefined : await list(run, { limit: 100 })
  if (!isRight && listed === undefined) {
    run.ledger.leaveOpen('get-same', run.sender.lost ?? 'the list got 429')
    return true
  }
  // Somebody may have changed it.
  const now = isRight ? known : listed && petsOf(listed).find(({ id }) => id === known.id)
  if (now === undefined) {
    run.ledger.leaveOpen('get-same', 'the animals changed meanwhile')
    return true
  }
  const again = isRight ? call : await run.ask(get(`/pets/${String(known.id)}`), ['get-answers', 'get-same'])
  if (again !== undefined && hasStatus(again, 'get-answers', 200)) checkFields(again, now, 'get-same')
  return true
}

/** A service may need a moment until it finds what it created. */
const momentMs = 2_000
const untilFound = 'until the service finds a new animal'

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
    const hadFew = run.pets.length < 2
    const pending = await create(run, newPet(run, { status: 'pending' }), 'plain')
    const plain = await create(run, newPet(run, {}), 'plain')
    const status = plain && petOf(plain)?.status
    plain?.check('create-status-absent', status === undefined, `the status is ${show(status)}`)
    // 2^53 + 1 is the first integer that a double cannot hold.
    const large = newPet(run, { categoryId: 9_007_199_254_740_993n, status: 'sold' })
    const exact = await create(run, large, 'odd')
    if (exact === undefined) run.ledger.explain('int64-exact', 'the service knows no such category')
    for (const call of [pending, exact]) if (call !== undefined) await checkKept(run, call)
    // The same requests as before: a service may remember its responses.
    const all = await list(run, { limit: 100 })
    if (all !== undefined) await checkListed(run, all)
    const found = await list(run, { limit: 100, status: 'pending' })
    if (found !== undefined) await checkListed(run, found, 'pending')
    if (hadFew) await longList(run)
  },
}

/** Names that services often change. */
export const names: Part = {
  name: 'names',
  needs: '--allow-writes',
  makes: ['create-accepts', 'create-spaces', 'create-again'],
  act: async run => {
    const name = ' Zoë  "O\'Hara"\n<b>&amp; 犬 🐕‍🦺 '
    const odd = await create(run, newPet(run, { name, status: 'available' }), 'odd')
    if (odd !== undefined) await checkKept(run, odd)
    // Without its other oddities, a service may accept it.
    else await create(run, newPet(run, { name: 'Zoë' }), 'odd')
    // Some services shorten it, or take digits for a number.
    const long = '0042'.repeat(75)
    const made = await create(run, newPet(run, { name: long }), 'odd')
    if (made !== undefined) await createAgain(run, made)
  },
}

/** Sends an equal body once more. The specification does not say that this creates another animal. */
async function createAgain(run: CheckRun, made: CheckedCall): Promise<void> {
  const again = await run.ask(made.request, ['create-again'], 'create-again')
  if (again === undefined) return
  const [first, second] = [petOf(made)?.id, petOf(again)]
  const isSame = second?.id !== undefined && second.id === first
  if (again.status === 201 || isSame)
    again.check('create-again', !isSame, `the animal ${show(first)} came again`)
  else run.ledger.explain('create-again', `the service refuses an equal animal with ${again.status}`)
  if (second?.id === undefined || isSame) return
  run.pets = [...run.pets, second]
  run.created.add(second.id)
}

const plainNames = ['Rex', 'Luna', 'Milo', 'Bella', 'Leocadia', 'Thaddeus', 'Ottilie', 'Balthasar']

/** What the answer to a POST is needed for. */
const createChecks = ['create-answers', 'create-as-sent', 'create-new-id'] as const

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
export async function create(run: CheckRun, sent: JsonObject, kind: 'plain' | 'odd'): Answered {
  const isPlain = kind === 'plain' && run.pets.some(({ categoryId }) => categoryId === sent.categoryId)
  const first = await run.ask(post(writeJson(sent)), createChecks)
  // An animal of this name may exist, and names may have to be different.
  const isTaken = isPlain && first?.status === 400
  const other = { ...sent, name: plainName(run.created.size + 4) }
  const call = isTaken ? await run.ask(post(writeJson(other)), createChecks) : first
  if (call === undefined) return undefined
  if (call.status === 400 && !isPlain) {
    call.check('create-accepts', false, 'the status is 400')
    run.ledger.explain('create-answers', 'the service knows no category that the run knows')
    return undefined
  }
  if (!hasStatus(call, 'create-answers', 201)) return undefined
  call.check('create-accepts', true, '')
  const { sunset } = call.headers
  call.check('deprecation-only', sunset === undefined, `Sunset is ${sunset}`)
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

function checkLocation(call: CheckedCall, made: JsonObject | undefined, basePath: string): void {
  const { check } = call
  const { location } = call.headers
  const id = /\/pets\/(-?\d+)\/?$/.exec(location ?? '')?.[1]
  const isBelow = location?.includes('://') || location?.startsWith(`${basePath}/pets/`)
  check('create-location', id !== undefined && isBelow === true, `Location is ${location ?? 'missing'}`)
  if (id !== undefined)
    check('create-location-own', id === String(made?.id), `Location is ${location}, the id ${show(made?.id)}`)
}

async function checkKept(run: CheckRun, created: CheckedCall): Promise<void> {
  const made = petOf(created)
  if (made?.id === undefined) return
  if (run.isAfterRemoval) return run.ledger.explain('create-kept', 'getPet may be removed')
  const request = get(`/pets/${String(made.id)}`)
  const first = await run.ask(request, ['create-kept'])
  if (first === undefined) return
  const isFound = showsPet(first, made)
  if (!isFound) await run.budget.wait(momentMs, untilFound)
  const call = isFound ? first : await run.ask(request, ['create-kept'])
  if (call === undefined) return
  if (!isFound && showsPet(call, made))
    return run.ledger.leaveOpen('create-kept', 'the service finds a new animal only after a moment')
  if (hasStatus(call, 'create-kept', 200)) checkFields(call, made, 'create-kept')
}

async function checkListed(run: CheckRun, page: CheckedCall, status?: string): Promise<void> {
  const { ledger, created, pets, budget } = run
  if (!isComplete(run, page)) return ledger.explain('create-listed', 'no list was known to be whole')
  const own = pets.filter(({ id }) => id !== undefined && created.has(id))
  const expected = own.filter(pet => status === undefined || pet.status === status)
  const missingFrom = (call: CheckedCall) =>
    expected.find(pet => !petsOf(call).some(({ id }) => id === pet.id))
  const missing = missingFrom(page)
  if (missing === undefined) return page.check('create-listed', true, '')
  await budget.wait(momentMs, untilFound)
  const again = await list(run, { limit: 100, ...(status !== undefined && { status }) })
  const isStill = again !== undefined && missingFrom(again)?.id === missing.id
  if (isStill) again.check('create-listed', false, `the animal ${show(missing.id)} is missing`)
  else ledger.leaveOpen('create-listed', 'the service lists a new animal only after a moment')
}

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
