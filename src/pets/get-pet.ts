import { type Answer, refuse, reply } from '../call/answer.ts'
import { quote } from '../call/echo.ts'
import { parseInt64 } from '../json/int64.ts'
import type { PetStore } from './store.ts'
import { petText } from './text.ts'

/** GET /pets/{petId}: whatever is not the id of a pet is not found; 400 is not documented here (A13). */
export function getPet(store: PetStore, petId: string): Answer {
  const id = parseInt64(petId)
  const pet = id === undefined ? undefined : store.get(id)
  if (pet === undefined) return refuse('pet_not_found', `There is no pet with the id ${quote(petId)}.`)
  return reply(200, petText(pet))
}
