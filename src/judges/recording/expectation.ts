import { isJsonArray, isJsonObject } from '../../base/json/is-object.ts'
import type { Expectation, HeaderExpectation } from '../../control/scenario/file.ts'
import { nextLink } from '../../service/call/link.ts'
import type { PetWorld } from './pet-world.ts'
import { readRate, readRetryAfter } from './rate-reading.ts'
import { readSeenPet, readSeenPets } from './seen-pets.ts'
import type { Take } from './take.ts'

/** Lists up to these lengths are expected with the names of their pets, or with their ids. */
const mostNames = 5
const mostIds = 20

/** What the answer of a take must be when it is played. `withLimit`: also the limit itself. */
export function expectationOf(take: Take, world: PetWorld, withLimit: boolean): Expectation {
  const headers = headersOf(take, withLimit, world)
  const hasHeaders = Object.keys(headers).length > 0
  // The emulator has no such operation, but it counts the call.
  if (take.operation === undefined && !isOwnRefusal(take)) return hasHeaders ? { headers } : {}
  const body = take.method === 'HEAD' ? {} : bodyOf(take, world)
  return { status: take.status, ...(hasHeaders && { headers }), ...body }
}

/** Answers that the emulator gives for paths and methods that it does not have. */
export function isOwnRefusal({ status }: Take): boolean {
  return status === 401 || status === 404 || status === 405 || status === 429
}

function headersOf(take: Take, withLimit: boolean, world: PetWorld): Record<string, HeaderExpectation> {
  const rate = take.key === null || take.status === 401 ? undefined : readRate(take)
  const { link, location } = take.answer
  const wait = readRetryAfter(take)
  const created = readSeenPet(take.json)
  return {
    ...(rate !== undefined && withLimit && { 'X-RateLimit-Limit': rate.limit }),
    ...(rate !== undefined && take.cluster === undefined && { 'X-RateLimit-Remaining': rate.remaining }),
    ...('retry-after' in take.answer && { 'Retry-After': wait ?? true }),
    ...(take.operation === 'listPets' && nextLink(link) !== undefined && { Link: true }),
    ...(take.status === 201 &&
      created !== undefined &&
      location !== undefined && {
        Location:
          location === `/v1/pets/${created.id}` ? `/v1/pets/${world.idOf(created.id, take.index)}` : true,
      }),
  }
}

function bodyOf(take: Take, world: PetWorld): Pick<Expectation, 'body' | 'length'> {
  const { status, json, code, operation } = take
  if (status >= 400) return code === undefined ? {} : { body: { code } }
  if (operation === 'listOrders') return isJsonArray(json) ? { length: json.length } : {}
  if (operation === 'listPets') return listBody(take, world)
  const pet = readSeenPet(json)
  if (pet === undefined || !isJsonObject(json)) return {}
  const { name, categoryId } = pet
  const id = operation === 'createPet' ? {} : { id: world.idOf(pet.id, take.index) }
  return { body: { ...id, name, categoryId, status: json.status ?? null } }
}

function listBody({ json, index }: Take, world: PetWorld): Pick<Expectation, 'body' | 'length'> {
  const pets = readSeenPets(json)
  if (pets === undefined) return isJsonArray(json) ? { length: json.length } : {}
  if (pets.length > mostIds) return { length: pets.length }
  const isShort = pets.length <= mostNames
  return { body: pets.map(({ id, name }) => ({ id: world.idOf(id, index), ...(isShort && { name }) })) }
}

/** What several takes that are alike must be: statuses by their count, the rest by the last one. */
export function expectationOfAll(alike: readonly Take[], ofLast: Expectation): Expectation {
  const counts: Record<string, number> = {}
  for (const { status } of alike) counts[status] = (counts[status] ?? 0) + 1
  const { status, ...rest } = ofLast
  const statuses = Object.keys(counts).length > 1 ? { statuses: counts } : { status }
  if (status === undefined) return isParallel(alike) ? {} : rest
  return isParallel(alike) ? statuses : { ...statuses, ...rest }
}

export function isParallel(alike: readonly Take[]): boolean {
  return alike.length > 1 && alike[0]?.cluster !== undefined
}
