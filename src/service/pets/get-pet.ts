import { parseInt64 } from '../../base/json/int64.ts'
import { type Answer, refuseMismatch, reply } from '../call/answer.ts'
import { quote } from '../call/echo.ts'
import { petText } from './pet.ts'
import type { PetStore } from './store.ts'

/** GET /pets/{petId}: 404 for anything but the id of a pet, since 400 is not documented here (A13). */
export function getPet(store: PetStore, petId: string): Answer {
  const id = parseInt64(petId)
  const pet = id === undefined ? undefined : store.get(id)
  if (pet !== undefined) return reply(200, petText(pet))
  const meant = /^[+-]?\d{1,18}$/.test(petId) ? Number(petId) : store.firstId
  const nearest = store.nearest(meant)
  const expected =
    nearest === undefined ? 'an id of a pet (there are none)' : `${nearest.id} (there is a pet)`
  const message = `There is no pet with the id ${quote(petId)}.`
  return refuseMismatch('pet_not_found', message, [{ what: 'petId', asked: petId, expected }])
}
