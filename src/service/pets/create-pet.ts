import { type Answer, refuseProblems, reply } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import { readJsonBody } from '../call/json-body.ts'
import { readNewPet } from './new-pet.ts'
import { type PetStatus, petText } from './pet.ts'
import type { PetStore } from './store.ts'

/** POST /pets (A16): 201 with the pet, or 400 with every problem, which stores nothing and uses no id. */
export function createPet(store: PetStore, call: Call, defaultStatus: PetStatus | undefined): Answer {
  const body = readJsonBody(call)
  if ('refusal' in body) return body.refusal
  const read = readNewPet(body.value)
  if ('problems' in read) return refuseProblems('invalid_body', read.problems)
  const pet = store.create({ ...read.pet, status: read.pet.status ?? defaultStatus })
  return reply(201, petText(pet), { Location: `/v1/pets/${pet.id}` })
}
