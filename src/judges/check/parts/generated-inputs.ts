import fc from 'fast-check'
import { toInt64 } from '../../../base/json/int64.ts'
import type { Int64, JsonObject } from '../../../base/json/value.ts'
import { get } from '../calls/request.ts'
import type { CheckRun } from '../run/check-run.ts'
import { OutOfBudget } from '../run/out-of-budget.ts'
import type { Part } from '../run/part.ts'
import { create } from './create-pet.ts'
import { expectRefusal } from './create-refusals.ts'
import { list } from './list-pets.ts'

const status = fc.constantFrom('available', 'pending', 'sold')
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value): Int64 => toInt64(value) ?? 0)
/** Names in any script, and some that often break services. */
const name = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('', ' ', 'null', '__proto__', "Robert'); DROP TABLE pets;--", '🐕‍🦺', '\u0000'),
)
const newPet = fc.record({ name, categoryId: int64, status }, { requiredKeys: ['name', 'categoryId'] })
const noInt64 = fc.constantFrom(null, true, '1', 1.5, [1])
const noText = fc.constantFrom(null, 7, true, ['Rex'])

const notNewPet: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ categoryId: int64 }),
  fc.record({ name }),
  fc.record({ name: noText, categoryId: int64 }),
  fc.record({ name, categoryId: noInt64 }),
  fc.record({ name, categoryId: int64, status: fc.constantFrom('lost', '', 1) }),
)
const query = fc.record({ limit: fc.integer({ min: 1, max: 100 }), status }, { requiredKeys: [] })
const badLimit = fc.oneof(
  fc.integer({ min: 101 }).map(String),
  fc.integer({ max: 0 }).map(String),
  fc.constantFrom('', '1.5', '1e1', '+5', '0x10', '٥'),
)
const badId = fc.constantFrom('0x1', '1.0', '1e0', '+1', '01', 'null', '9223372036854775808', '%20')

/** Generated lists and ids. */
export const generatedReads: Part = {
  name: 'generated requests',
  makes: [],
  act: async run => {
    await search(run, query, 0.4, query => list(run, query))
    await search(run, badLimit, 0.2, limit =>
      run.expect(400, get(`/pets?limit=${encodeURIComponent(limit)}`), 'list-limit-refused'),
    )
    await search(run, badId, 0.15, id => run.expect(404, get(`/pets/${id}`), 'get-malformed'))
  },
}

/** Generated animals. */
export const generatedWrites: Part = {
  name: 'generated animals',
  makes: [],
  needs: '--allow-writes',
  act: async run => {
    await search(run, newPet, 0.25, fields => create(run, fields, 'odd'))
    await search(run, notNewPet, 0.35, body => expectRefusal(run, body))
  },
}

/**
 * Tries generated values with a share of the calls that are left. A value that fails a check for the first time is shrunk:
 * the ledger keeps the smallest request.
 */
async function search<T>(
  run: CheckRun,
  values: fc.Arbitrary<T>,
  share: number,
  act: (value: T) => Promise<unknown>,
): Promise<void> {
  const { log } = run.ledger
  const runs = Math.floor(run.callsLeft * share)
  if (runs < 1) return
  const known = new Set(log)
  let sought: string | undefined
  const property = fc.asyncProperty(values, async value => {
    if (run.callsLeft < 1) return
    const before = log.length
    await act(value).catch(error => {
      if (!(error instanceof OutOfBudget)) throw error
    })
    const fresh = log.slice(before).filter(key => (sought === undefined ? !known.has(key) : key === sought))
    if (fresh.length === 0) return
    sought ??= fresh[0]
    throw new Error(sought)
  })
  await fc.check(property, { seed: run.options.seed, numRuns: runs, maxSkipsPerRun: 0 })
}
