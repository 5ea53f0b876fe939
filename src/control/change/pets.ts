import { toInt64 } from '../../base/json/int64.ts'
import type { World } from '../../emulator/worlds/world.ts'
import type { Pet } from '../../service/pets/pet.ts'
import type { CommandOf, PetCommand } from './command.ts'
import { FieldReader } from './field-reader.ts'
import { type Intent, notFound, refuseCommand } from './intent.ts'

export function changePets(world: World, command: PetCommand): Intent {
  if (command.do === 'addPet') return addPet(world, command)
  const id = toInt64(command.id)
  const pet = id === undefined ? undefined : world.pets.get(id)
  if (pet === undefined) return notFound(`there is no pet with the id ${command.id}`)
  if (command.do === 'changePet') return changePet(world, pet, command)
  return () => {
    world.pets.delete(pet.id)
    return { pet }
  }
}

function addPet(world: World, { name, categoryId, status }: CommandOf<'addPet'>): Intent {
  const fields = new FieldReader()
  const category = fields.int64('categoryId', categoryId)
  if (category === undefined) return fields.refused ?? refuseCommand('categoryId is missing')
  const { defaultStatus } = world.scenario.behaviour
  return () => ({ pet: world.pets.create({ name, categoryId: category, status: status ?? defaultStatus }) })
}

function changePet(world: World, pet: Pet, { name, categoryId, status }: CommandOf<'changePet'>): Intent {
  const fields = new FieldReader()
  const changed: Pet = {
    id: pet.id,
    name: name ?? pet.name,
    categoryId: fields.int64('categoryId', categoryId) ?? pet.categoryId,
    status: status === undefined ? pet.status : (status ?? undefined),
  }
  return (
    fields.refused ??
    (() => {
      world.pets.replace(changed)
      return { pet: changed }
    })
  )
}
