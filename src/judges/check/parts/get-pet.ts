import type { JsonObject } from '../../../base/json/value.ts'
import { type CheckedCall, petOf, petsOf } from '../calls/checked-call.ts'
import { get } from '../calls/request.ts'
import { checkDeprecation } from '../responses/deprecation.ts'
import type { CheckRun } from '../run/check-run.ts'
import type { Part } from '../run/part.ts'
import { checkFields, differences } from './compare-pets.ts'
import { list } from './list-pets.ts'

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
    const [first, ...others] = sampleOf(run.pets)
    if (first === undefined) {
      for (const id of ['get-answers', 'get-same'] as const) run.ledger.explain(id, 'the store is empty')
    } else if (!(await checkSame(run, first))) return
    for (const pet of others) await checkSame(run, pet)
    for (const id of unknownIds(run.pets)) await checkUnknown(run, id)
  },
}

/** Animals that services often treat differently: the last one, one in the middle, long ids, odd names. */
function sampleOf(pets: readonly JsonObject[]): readonly JsonObject[] {
  const isLong = ({ id }: JsonObject) => typeof id === 'bigint'
  const chosen = [
    pets[0],
    pets.at(-1),
    pets.find(isLong) ?? pets.find(({ status }) => status === undefined),
    pets.find(({ name }) => /[^ -~]/.test(String(name))) ?? pets[Math.floor(pets.length / 2)],
    pets[Math.floor(pets.length / 3)],
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
  const call = await run.call(get(`/pets/${id}`))
  if (call === undefined || call.status === 429) return
  const { id: found } = petOf(call) ?? {}
  if (call.status === 200 && String(found) === String(id)) return
  const isRemoved = run.isAfterRemoval && call.status === 410
  call.check('get-unknown', call.status === 404 || isRemoved, `the status is ${call.status}, not 404`)
}

/** Gets an animal, and compares it with the one of the list. False if the operation is removed. */
async function checkSame(run: CheckRun, known: JsonObject): Promise<boolean> {
  const call = await run.call(get(`/pets/${String(known.id)}`))
  if (call === undefined || call.status === 429) return true
  if (run.isAfterRemoval && (call.status === 404 || call.status === 410)) {
    for (const id of animals.makes) run.ledger.leaveOpen(id, 'getPet is removed')
    return false
  }
  if (call.status === 200) checkDeprecation(call)
  const isRight = call.status === 200 && differences(petOf(call) ?? {}, known).length === 0
  const now = isRight ? known : await stillListed(run, known)
  if (now === undefined) {
    run.ledger.leaveOpen('get-same', 'the animals changed meanwhile')
    return true
  }
  const again = isRight ? call : await run.call(get(`/pets/${String(known.id)}`))
  if (again !== undefined) judgeSame(again, now)
  return true
}

function judgeSame(call: CheckedCall, known: JsonObject): void {
  call.check('get-answers', call.status === 200, `the status is ${call.status}, not 200`)
  if (call.status === 200) checkFields(call, known, 'get-same')
}

/** The animal as the list has it now: somebody may have changed it. Undefined if it has gone. */
async function stillListed(run: CheckRun, known: JsonObject): Promise<JsonObject | undefined> {
  const page = await list(run, { limit: 100 })
  return page && petsOf(page).find(({ id }) => id === known.id)
}
