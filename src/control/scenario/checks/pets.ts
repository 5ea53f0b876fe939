import { toInt64 } from '../../../base/json/int64.ts'
import type { PetsFields } from '../../../generated/scenario-fields.ts'
import type { Problem } from '../../fields/problem.ts'
import type { Fixtures } from '../../fixtures/fixtures.ts'
import { effectivePetCount } from '../effective.ts'

/** Ids left for new pets, so that clients cannot use up all int64s. */
const room = 1_000_000_000_000

/** All ids must be int64s, and only an id that was used can be gone. */
export function checkPets(fields: PetsFields, fixtures: Fixtures): readonly Problem[] {
  const { firstId, gone, add } = fields
  const total = effectivePetCount(fields, fixtures) + (add?.length ?? 0)
  const first = firstId ?? 1
  const last = total === 0 ? undefined : toInt64(BigInt(first) + BigInt(total - 1))
  if (toInt64(BigInt(first) + BigInt(total + room)) === undefined) {
    return [
      {
        path: ['pets', 'firstId'],
        message: `${total} pets from id ${first} on leave too few ids (int64) for new ones`,
      },
    ]
  }
  return (gone ?? []).flatMap((id, index) => {
    if (last !== undefined && id >= first && id <= last) return []
    const ids = last === undefined ? 'there is no pet' : `the pets have the ids ${first} to ${last}`
    return [{ path: ['pets', 'gone', index], message: `no pet ever had the id ${id}: ${ids}` }]
  })
}
